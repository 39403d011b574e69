// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./OperationTest.sol";

/// @dev A pause stops an agent's own steps forward, and never a way out. With a deposit below the threshold
///   a worker cannot deliver, but may leave, answer a dispute, give in and take its payment
///   a poster cannot fund, but may start, cancel, dismiss, dispute, give in, accept and complete
///   everyone else may time the task out
contract PausedExitsTest is OperationTest {
    function test_aPausedWorkerMayLeave() public {
        uint256 taskId = active();
        pauseWorker();
        leaveTask(taskId);
        assertState(taskId, State.POSTED);
        assertEq(depositOf(worker), BOND - BOND / 4);
        assertFalse(deposits.isPaused(worker), "an agent without engagements is not paused");
    }

    function test_aPausedWorkerMayAnswerAndGiveInButNotDeliver() public {
        uint256 taskId = delivered();
        pauseWorker();
        expectAgentIsPaused(worker);
        registryAs(worker).submitProof(taskId, 0, PROOF, "");
        openDispute(taskId);
        answerWithBond(taskId);
        courtAs(worker).concede(taskId, Phase.PROPOSING);
        assertState(taskId, State.RESOLVED);
    }

    function test_aPausedWorkerIsPaidBySilence() public {
        uint256 taskId = delivered();
        pauseWorker();
        skip(REVIEW + 1);
        registry.resolveTimedOut(taskId);
        assertState(taskId, State.COMPLETED);
    }

    function test_aPausedWorkerThatMissesItsDeliveryLosesItsLastBond() public {
        uint256 taskId = active();
        pauseWorker();
        skip(11 days + 12 hours + 1);
        registry.resolveTimedOut(taskId);
        assertState(taskId, State.CANCELLED);
        assertEq(depositOf(worker), 0);
    }

    function test_aPausedPosterMayCancelButNotFund() public {
        uint256 taskId = postedUnfunded();
        pausePoster();
        expectAgentIsPaused(poster);
        registryAs(poster).fundTask(taskId, 1);
        registryAs(poster).cancelTask(taskId);
        assertState(taskId, State.CANCELLED);
    }

    function test_aPausedPosterMayStartAndDismiss() public {
        uint256 taskId = onTrial();
        pausePoster();
        start(taskId);
        dismiss(taskId);
        skip(1 days + 1);
        registry.resolveTimedOut(taskId);
        assertState(taskId, State.POSTED);
    }

    function test_aPausedPosterMayAcceptCompleteAndDispute() public {
        uint256 taskId = delivered();
        pausePoster();
        uint256 snapshot = vm.snapshotState();
        accept(taskId);
        assertState(taskId, State.COMPLETED);
        vm.revertToState(snapshot);
        complete(taskId);
        assertState(taskId, State.COMPLETED);
        vm.revertToState(snapshot);
        openDispute(taskId);
        assertState(taskId, State.DISPUTED);
        courtAs(poster).concede(taskId, Phase.ANSWERING);
        assertState(taskId, State.RESOLVED);
    }
}
