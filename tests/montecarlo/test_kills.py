"""A run that is killed twenty times at random moments gives in the end what one in a single piece gives."""

import json

TIMES = 20


def test_twenty_kills(run_python, tmp_path):
    code = "import sys; from tests.montecarlo import killing; killing.main(sys.argv[1], int(sys.argv[2]), 1)"
    told = json.loads(run_python(code, tmp_path, TIMES))
    assert told["right"]
    assert all(told["right"])
    assert told["lost"] == 0
    assert told["drawn_in_the_end"] == told["missing_in_the_end"]
    # The moments fell within the run, at many different states of the file.
    assert len(told["held"]) == TIMES
    half_done = [held for held in told["held"] if 0 < held < told["blocks"]]
    assert len(half_done) >= TIMES // 2
    assert len(set(half_done)) >= TIMES // 4
