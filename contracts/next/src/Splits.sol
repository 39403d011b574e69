// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {BPS} from "./Types.sol";

/// @title Splits
/// @notice Where the dispute bonds of a case go. Every end of a case is one of these three, and in each the four amounts are
/// the bonds that came in: the court asserts it, and proofs/SplitProof.sol proves it.
library Splits {
    /// @dev Amounts in TOK wei.
    struct Split {
        uint96 toJudge;
        uint96 burned;
        uint96 toPoster;
        uint96 toWorker;
    }

    /// @dev Every bond back to who put it up.
    function whole(uint96 bond, bool isBonded) internal pure returns (Split memory split) {
        split.toPoster = bond;
        if (isBonded) split.toWorker = bond;
    }

    /// @dev By a judge in its time. With both bonds in, it has one of them whatever it rules, from both sides as they lost.
    /// With one, what the poster lost is burned and the judge is paid in collateral: nobody near the judge earns by the
    /// verdict.
    function ruled(uint96 bond, bool isBonded, uint16 workerBps) internal pure returns (Split memory split) {
        uint96 lost = uint96((uint256(bond) * workerBps) / BPS);
        split.toPoster = bond - lost;
        if (isBonded) (split.toJudge, split.toWorker) = (bond, lost);
        else split.burned = lost;
    }

    /// @dev Before a judge is in office, who gives in loses half of its bond to the other side.
    function conceded(uint96 bond, bool isBonded, bool byPoster) internal pure returns (Split memory split) {
        split = whole(bond, isBonded);
        uint96 half = bond / 2;
        if (byPoster) (split.toPoster, split.toWorker) = (split.toPoster - half, split.toWorker + half);
        else if (isBonded) (split.toPoster, split.toWorker) = (split.toPoster + half, split.toWorker - half);
    }
}
