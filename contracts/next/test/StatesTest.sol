// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./MarketTest.sol";

/// @notice A task in any state of the machine, and what a test says about tasks as a whole.
abstract contract StatesTest is MarketTest {
    uint256 internal constant NO_TASK = 404;

    /// @dev Poster and worker are on record in every state but NONE and POSTED, so that the state alone is wrong.
    function taskIn(State state) internal returns (uint256 taskId) {
        if (state == State.NONE) return NO_TASK;
        if (state == State.POSTED) return posted();
        if (state == State.CLAIMED) return claimed();
        if (state == State.ACTIVE) return active();
        if (state == State.DELIVERED) return delivered();
        if (state == State.DISPUTED) return disputed();
        if (state == State.COMPLETED) return completed();
        if (state == State.RESOLVED) return resolved();
        return cancelled();
    }

    function completed() internal returns (uint256 taskId) {
        taskId = delivered();
        complete(taskId);
    }

    /// @dev Settled by both parties, which needs no time to pass.
    function resolved() internal returns (uint256 taskId) {
        taskId = delivered();
        uint64 validUntil = uint64(vm.getBlockTimestamp());
        bytes memory workerSig = signWith(workerKey, registry.hashSettlement(taskId, 5_000, validUntil));
        courtAs(poster).mutualSettle(taskId, 5_000, validUntil, "", workerSig);
    }

    /// @dev A private task that its worker left: nobody else can take it.
    function cancelled() internal returns (uint256 taskId) {
        taskId = created(Scope.PRIVATE);
        leaveTask(taskId);
    }

    function expectWrongState(uint256 taskId, State state) internal {
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.WrongState.selector, taskId, state));
    }

    /// @dev A test takes the task as it was, writes into it what has to change, and hands it in here.
    function assertTask(TaskView memory expected) internal view {
        TaskView memory actual = taskOf(expected.id);
        assertEq(uint256(actual.state), uint256(expected.state), "state");
        assertEq(actual.worker, expected.worker, "worker");
        assertEq(actual.round, expected.round, "round");
        assertEq(actual.milestone, expected.milestone, "milestone");
        assertEq(actual.deadline, expected.deadline, "deadline");
        assertEq(actual.updatedAt, expected.updatedAt, "updatedAt");
        assertEq(actual.dismissAt, expected.dismissAt, "dismissAt");
        assertEq(actual.released, expected.released, "released");
        assertEq(actual.refunded, expected.refunded, "refunded");
        assertEq(abi.encode(actual), abi.encode(expected), "task");
    }

    /// @dev What re-listing changes of a task.
    function expectRelisted(TaskView memory task) internal view {
        task.state = State.POSTED;
        task.round += 1;
        task.worker = address(0);
        task.settlementDigest = 0;
        task.dismissAt = 0;
        task.trialEnds = 0;
        task.vouched = false;
        task.updatedAt = uint64(vm.getBlockTimestamp());
    }

    /// @dev What ending with a refund changes of a task.
    function expectCancelled(TaskView memory task) internal view {
        task.state = State.CANCELLED;
        task.refunded += task.funded - task.released;
        task.trialEnds = 0;
        task.updatedAt = uint64(vm.getBlockTimestamp());
    }
}
