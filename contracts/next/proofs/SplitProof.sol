// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {BPS} from "../src/Types.sol";
import {Splits} from "../src/Splits.sol";

/// @notice What the bounded engine of the compiler's model checker proves of the split, for every bond and every ruling. No test
/// runs this file.
contract SplitProof {
    function whole(uint96 bond, bool isBonded) external pure {
        Splits.Split memory split = Splits.whole(bond, isBonded);
        assert(sum(split) == held(bond, isBonded));
        assert(split.toJudge == 0 && split.burned == 0);
    }

    function ruled(uint96 bond, bool isBonded, uint16 workerBps) external pure {
        require(workerBps <= BPS);
        Splits.Split memory split = Splits.ruled(bond, isBonded, workerBps);
        assert(sum(split) == held(bond, isBonded));
        // The judge's pay does not depend on the ruling.
        assert(split.toJudge == (isBonded ? bond : 0));
        assert(isBonded || split.toWorker == 0);
    }

    function conceded(uint96 bond, bool isBonded, bool byPoster) external pure {
        Splits.Split memory split = Splits.conceded(bond, isBonded, byPoster);
        assert(sum(split) == held(bond, isBonded));
        assert(split.toJudge == 0 && split.burned == 0);
    }

    function sum(Splits.Split memory split) private pure returns (uint256) {
        return uint256(split.toJudge) + split.burned + split.toPoster + split.toWorker;
    }

    function held(uint96 bond, bool isBonded) private pure returns (uint256) {
        return uint256(bond) * (isBonded ? 2 : 1);
    }
}
