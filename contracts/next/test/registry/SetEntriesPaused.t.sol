// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./OperationTest.sol";

/// @dev setEntriesPaused:
///   the owner stops and reopens post, create and claim; setting it twice does no harm
///   nothing else stops: fund, start, deliver, accept, complete, leave, dismiss, cancel, dispute, rule, settle, every
///     time-out and every withdrawal work on
/// Who may pause is tried in attacks/Powers.t.sol.
contract SetEntriesPausedTest is OperationTest {
    function test_stopsAndReopensEntries() public {
        uint256 taskId = posted();
        bytes32 digest = registry.openDigest(taskId, worker);
        TaskTerms memory terms = signedTerms(Scope.PRIVATE, noMilestones());
        bytes memory workerSig = signWith(workerKey, registry.hashTerms(terms));
        ITaskRegistry.PostParams memory params = postParams();
        assertFalse(registry.entriesPaused());
        pause(true);
        expectEntriesArePaused();
        registryAs(poster).postTask(params);
        expectEntriesArePaused();
        registryAs(poster).createTask(terms, noMilestones(), workerSig, "", 0);
        expectEntriesArePaused();
        registryAs(worker).claimTask(taskId, digest);
        pause(false);
        registryAs(poster).postTask(params);
        registryAs(poster).createTask(terms, noMilestones(), workerSig, "", 0);
        registryAs(worker).claimTask(taskId, digest);
    }

    function test_stopsNoTaskOnItsWayToCompletion() public {
        uint256 taskId = post(threeMilestones(), 0);
        claim(taskId, worker);
        pause(true);
        registryAs(poster).fundTask(taskId, TOTAL);
        start(taskId);
        deliver(taskId);
        accept(taskId);
        complete(taskId);
        assertState(taskId, State.COMPLETED);
    }

    function test_stopsNobodyFromLeaving() public {
        uint256 toCancel = posted();
        uint256 toLeave = onTrial();
        uint256 toDismiss = onTrial();
        uint256 toNotice = active();
        pause(true);
        registryAs(poster).cancelTask(toCancel);
        assertState(toCancel, State.CANCELLED);
        leaveTask(toLeave);
        assertState(toLeave, State.POSTED);
        dismiss(toDismiss);
        assertState(toDismiss, State.POSTED);
        dismiss(toNotice);
        skip(1 days + 1);
        registry.resolveTimedOut(toNotice);
        assertState(toNotice, State.POSTED);
    }

    function test_stopsNoDisputeAndNoSettlement() public {
        uint256 toRule = delivered();
        uint256 toSettle = active();
        uint256 toHalve = disputed();
        uint256 toDefault = disputed();
        pause(true);
        openDispute(toRule);
        answerWithBond(toRule);
        answerWithBond(toHalve);
        agree(toRule, arbitrator);
        courtAs(arbitrator).resolveDispute(toRule, 7_000, REASON, REASON_URI);
        assertState(toRule, State.RESOLVED);
        bytes memory workerSig = signWith(workerKey, registry.hashSettlement(toSettle, 1_000, clock()));
        courtAs(poster).mutualSettle(toSettle, 1_000, clock(), "", workerSig);
        assertState(toSettle, State.RESOLVED);
        skip(3 days + 1);
        court.escalate(toHalve);
        skip(7 days + 1);
        court.resolveTimedOut(toHalve);
        assertState(toHalve, State.RESOLVED);
        court.resolveTimedOut(toDefault);
        assertState(toDefault, State.RESOLVED);
    }

    function test_stopsNoTimeOut() public {
        uint256[4] memory tasks = [posted(), claimed(), active(), delivered()];
        pause(true);
        skip(12 days);
        for (uint256 index = 0; index < tasks.length; ++index) registry.resolveTimedOut(tasks[index]);
        assertState(tasks[0], State.CANCELLED);
        assertState(tasks[1], State.CANCELLED);
        assertState(tasks[2], State.CANCELLED);
        assertState(tasks[3], State.COMPLETED);
    }

    function test_stopsNoWithdrawal() public {
        pause(true);
        depositsAs(worker).withdraw(1_000e6, worker);
        assertEq(usdc.balanceOf(worker), WALLET_USDC);
    }

    function pause(bool paused) private {
        vm.expectEmit(address(registry));
        emit ITaskRegistry.EntriesPaused(paused, paused ? clock() + 14 days : 0);
        registryAs(owner).setEntriesPaused(paused);
        assertEq(registry.entriesPaused(), paused);
    }
}
