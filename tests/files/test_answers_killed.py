"""A process that writes answers may be killed at any moment: what was committed is there, and goes on."""


def test_killed_at_every_moment(tmp_path, run_python):
    code = "import sys; from tests.files.killed import main; main(*sys.argv[1:])"
    arrays, tables = map(int, run_python(code, tmp_path).split())
    assert arrays > 80
    assert tables > 30
