// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./OperationTest.sol";

/// @dev What every operation of the registry on a task refuses, and with which error:
///   a caller that is not the party whom it belongs to, and any caller for a number without a task
///   a state in which it is not possible
///   another digest than the worker's, so that a pending call cannot hit the next worker
contract TaskRefusalsTest is OperationTest {
    /// @dev The states in which an operation is possible lie side by side.
    struct Row {
        bytes4 operation;
        address caller;
        State first;
        State last;
    }

    Row[] private rows;

    function setUp() public override {
        super.setUp();
        rows.push(Row(registry.claimTask.selector, rival, State.POSTED, State.POSTED));
        rows.push(Row(registry.fundTask.selector, poster, State.POSTED, State.CLAIMED));
        rows.push(Row(registry.startWork.selector, poster, State.ACTIVE, State.ACTIVE));
        rows.push(Row(registry.submitProof.selector, worker, State.ACTIVE, State.DELIVERED));
        rows.push(Row(registry.acceptMilestone.selector, poster, State.DELIVERED, State.DELIVERED));
        rows.push(Row(registry.completeTask.selector, poster, State.ACTIVE, State.DELIVERED));
        rows.push(Row(registry.leaveTask.selector, worker, State.CLAIMED, State.DELIVERED));
        rows.push(Row(registry.dismissWorker.selector, poster, State.CLAIMED, State.ACTIVE));
        rows.push(Row(registry.cancelTask.selector, poster, State.POSTED, State.POSTED));
        rows.push(Row(registry.extendDeadline.selector, poster, State.POSTED, State.ACTIVE));
        rows.push(Row(registry.openDispute.selector, poster, State.DELIVERED, State.DELIVERED));
    }

    function test_reverts_inEveryOtherState() public {
        for (uint8 index = 1; index <= uint8(type(State).max); ++index) {
            State state = State(index);
            uint256 taskId = taskIn(state);
            bytes memory wrongState = abi.encodeWithSelector(ITaskRegistry.WrongState.selector, taskId, state);
            for (uint256 which = 0; which < rows.length; ++which) {
                if (isPossible(rows[which], state)) continue;
                // A task on the list has no worker that could call.
                bool nobody = state == State.POSTED && refusalOf(rows[which]) == ITaskRegistry.NotWorker.selector;
                bytes memory notWorker = abi.encodeWithSelector(ITaskRegistry.NotWorker.selector, rows[which].caller);
                assertRefused(rows[which], rows[which].caller, taskId, nobody ? notWorker : wrongState);
            }
        }
    }

    function test_reverts_forEverybodyElse() public {
        address[7] memory everybody = [poster, worker, rival, owner, stranger, arbitrator, fallbackArbitrator];
        for (uint8 state = uint8(State.POSTED); state <= uint8(State.DELIVERED); ++state) {
            uint256 taskId = taskIn(State(state));
            for (uint256 which = 0; which < rows.length; ++which) {
                if (!isPossible(rows[which], State(state))) continue;
                for (uint256 index = 0; index < everybody.length; ++index) {
                    if (mayCall(rows[which], everybody[index])) continue;
                    bytes memory refusal = abi.encodeWithSelector(refusalOf(rows[which]), everybody[index]);
                    assertRefused(rows[which], everybody[index], taskId, refusal);
                }
            }
        }
    }

    function test_reverts_withoutATask() public {
        for (uint256 which = 0; which < rows.length; ++which) {
            if (mayCall(rows[which], stranger)) continue;
            bytes memory refusal = abi.encodeWithSelector(refusalOf(rows[which]), rows[which].caller);
            assertRefused(rows[which], rows[which].caller, NO_TASK, refusal);
        }
    }

    function testFuzz_reverts_withAnyOtherDigest(bytes32 expected) public {
        (uint256 trialId, uint256 activeId) = (onTrial(), active());
        vm.assume(expected != digestOf(trialId) && expected != digestOf(activeId));
        assertMismatch(registry.startWork.selector, trialId, expected);
        assertMismatch(registry.dismissWorker.selector, trialId, expected);
        assertMismatch(registry.completeTask.selector, activeId, expected);
        assertMismatch(registry.dismissWorker.selector, activeId, expected);
    }

    function isPossible(Row memory row, State state) private pure returns (bool) {
        return state >= row.first && state <= row.last;
    }

    /// @dev Anyone may claim.
    function mayCall(Row memory row, address caller) private view returns (bool) {
        if (row.operation == registry.claimTask.selector) return true;
        return caller == row.caller;
    }

    function refusalOf(Row memory row) private view returns (bytes4) {
        return row.caller == worker ? ITaskRegistry.NotWorker.selector : ITaskRegistry.NotPoster.selector;
    }

    /// @dev With arguments that fit the task as it stands.
    function assertRefused(Row memory row, address caller, uint256 taskId, bytes memory refusal) private {
        TaskView memory task = taskOf(taskId);
        bytes memory call;
        if (row.operation == registry.fundTask.selector) {
            call = abi.encodeCall(registry.fundTask, (taskId, 1));
        } else if (row.operation == registry.submitProof.selector) {
            call = abi.encodeCall(registry.submitProof, (taskId, task.milestone, PROOF, ""));
        } else if (row.operation == registry.acceptMilestone.selector) {
            call = abi.encodeCall(registry.acceptMilestone, (taskId, task.milestone, task.updatedAt));
        } else if (row.operation == registry.leaveTask.selector) {
            call = abi.encodeCall(registry.leaveTask, (taskId, task.state));
        } else if (row.operation == registry.cancelTask.selector) {
            call = abi.encodeCall(registry.cancelTask, (taskId));
        } else if (row.operation == registry.extendDeadline.selector) {
            call = abi.encodeCall(registry.extendDeadline, (taskId, task.deadline + 1));
        } else if (row.operation == registry.openDispute.selector) {
            call = abi.encodeCall(registry.openDispute, (taskId, task.updatedAt, EVIDENCE, EVIDENCE_URI));
        } else {
            bool claims = row.operation == registry.claimTask.selector;
            bytes32 digest = claims ? registry.openDigest(taskId, caller) : task.settlementDigest;
            call = abi.encodeWithSelector(row.operation, taskId, digest);
        }
        assertAnswers(caller, call, refusal);
    }

    function assertMismatch(bytes4 operation, uint256 taskId, bytes32 expected) private {
        bytes memory refusal = abi.encodeWithSelector(ITaskRegistry.DigestMismatch.selector, digestOf(taskId));
        assertAnswers(poster, abi.encodeWithSelector(operation, taskId, expected), refusal);
    }

    function assertAnswers(address caller, bytes memory call, bytes memory refusal) private {
        vm.prank(caller);
        (bool success, bytes memory answer) = address(registry).call(call);
        assertFalse(success, vm.toString(call));
        assertEq(answer, refusal, vm.toString(call));
    }
}
