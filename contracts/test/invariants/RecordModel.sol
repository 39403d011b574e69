// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./PayoutModel.sol";

/// @notice Which mark each side gets when a call succeeds, from the rules of docs/operations and not from the code under
/// test. Entries (posted, claimed) are counted by the tests of those calls.
abstract contract RecordModel is PayoutModel {
    struct Marks {
        Reputation poster;
        Reputation worker;
    }

    /// @dev Calls after which a record was another than the rules say, and the last of them in words.
    uint256 internal wrongMarks;
    string internal lastWrongMark;

    function expectMarks(
        Operation operation,
        TaskView memory task,
        Phase phase,
        bool byPoster,
        uint16 share
    ) internal view returns (Marks memory marks) {
        if (task.worker == address(0)) return marks;
        marks = readMarks(task);
        bool isLast = task.milestone + 1 == registry.milestonesOf(task.id).length;
        bool paid = operation == Operation.ACCEPT || (operation == Operation.TIME_OUT && task.state == State.DELIVERED);
        if (operation == Operation.COMPLETE || (paid && isLast)) ++marks.worker.completed;
        else if (operation == Operation.TIME_OUT) {
            bool lapsed = task.state == State.CLAIMED && task.funded == task.totalAmount;
            if (lapsed || task.state == State.ACTIVE) ++marks.worker.left;
        } else if (operation == Operation.LEAVE && task.state != State.CLAIMED) ++marks.worker.left;
        else if (operation == Operation.DISMISS && task.state == State.ACTIVE) ++marks.worker.dismissed;
        else if (operation == Operation.RULE) markRuling(marks, share);
        else if (operation == Operation.CONCEDE && byPoster) markRuling(marks, BPS);
        else if (operation == Operation.CONCEDE && (phase == Phase.ASSIGNED || phase == Phase.ESCALATED)) {
            markRuling(marks, 0);
        } else if (operation == Operation.CONCEDE) ++marks.worker.left;
        else if (operation == Operation.TIME_OUT_DISPUTE && phase == Phase.ANSWERING) markRuling(marks, 0);
    }

    function compareMarks(Marks memory expected, Operation operation, TaskView memory task) internal {
        if (task.worker == address(0)) return;
        if (digestOf(readMarks(task)) == digestOf(expected)) return;
        ++wrongMarks;
        lastWrongMark = string.concat(
            "marks after operation ",
            vm.toString(uint256(operation)),
            " on task ",
            vm.toString(task.id)
        );
    }

    function readMarks(TaskView memory task) private view returns (Marks memory marks) {
        (marks.poster, ) = reputation.reputationOf(task.poster);
        (marks.worker, ) = reputation.reputationOf(task.worker);
    }

    /// @dev An even split has no winner.
    function markRuling(Marks memory marks, uint16 share) private pure {
        if (share == BPS / 2) return;
        (Reputation memory won, Reputation memory lost) = share > BPS / 2
            ? (marks.worker, marks.poster)
            : (marks.poster, marks.worker);
        ++won.disputesWon;
        ++lost.disputesLost;
    }

    /// @dev Everything but when a wallet was last active.
    function digestOf(Marks memory marks) private pure returns (bytes32) {
        (marks.poster.lastActive, marks.worker.lastActive) = (0, 0);
        return keccak256(abi.encode(marks));
    }
}
