// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {Scope, State, TaskTerms} from "../../src/Types.sol";
import {ITaskRegistry} from "../../src/interfaces/ITaskRegistry.sol";
import {OperationTest} from "./OperationTest.sol";

/// @dev setEntriesPaused:
///   the owner stops and reopens post, create and claim; setting it twice does no harm
///   nothing else stops: fund, start, deliver, accept, complete, leave, dismiss, cancel, dispute, rule, settle, every
///     time-out and every withdrawal work on
///   ownership is transferred in two steps; only the accepted owner may pause
///   it reverts for everybody else
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
        vm.prank(poster);
        registry.postTask(params);
        expectEntriesArePaused();
        vm.prank(poster);
        registry.createTask(terms, noMilestones(), "", workerSig, "", 0);
        expectEntriesArePaused();
        vm.prank(worker);
        registry.claimTask(taskId, digest);
        pause(false);
        vm.prank(poster);
        registry.postTask(params);
        vm.prank(poster);
        registry.createTask(terms, noMilestones(), "", workerSig, "", 0);
        vm.prank(worker);
        registry.claimTask(taskId, digest);
    }

    function test_mayBeSetTwice() public {
        pause(true);
        pause(true);
        pause(false);
        pause(false);
    }

    function test_stopsNoTaskOnItsWayToCompletion() public {
        uint256 taskId = post(threeMilestones(), 0);
        claim(taskId, worker);
        pause(true);
        vm.prank(poster);
        registry.fundTask(taskId, TOTAL);
        start(taskId);
        deliver(taskId);
        accept(taskId);
        complete(taskId);
        assertState(taskId, State.COMPLETED);
    }

    function test_stopsNobodyFromLeaving() public {
        uint256 toCancel = posted();
        uint256 toLeave = claimed();
        uint256 toDismiss = claimed();
        uint256 toNotice = active();
        pause(true);
        vm.prank(poster);
        registry.cancelTask(toCancel);
        assertState(toCancel, State.CANCELLED);
        leaveTask(toLeave);
        assertState(toLeave, State.POSTED);
        dismiss(toDismiss);
        assertState(toDismiss, State.POSTED);
        giveNotice(toNotice);
        skip(1 days + 1);
        dismiss(toNotice);
        assertState(toNotice, State.POSTED);
    }

    function test_stopsNoDisputeAndNoSettlement() public {
        uint256 toRule = delivered();
        uint256 toSettle = active();
        uint256 toHalve = disputed();
        uint256 toDefault = disputed();
        pause(true);
        openDispute(toRule);
        answerWithBond(toRule, worker);
        answerWithBond(toHalve, worker);
        agree(toRule, arbitrator);
        vm.prank(arbitrator);
        court.resolveDispute(toRule, 7_000, REASON, REASON_URI);
        assertState(toRule, State.RESOLVED);
        bytes memory workerSig = signWith(workerKey, registry.hashSettlement(toSettle, 1_000, clock()));
        vm.prank(poster);
        court.mutualSettle(toSettle, 1_000, clock(), "", workerSig);
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
        vm.prank(worker);
        deposits.withdraw(1_000e6, worker);
        assertEq(usdc.balanceOf(worker), WALLET_USDC);
    }

    function test_reverts_forEverybodyButTheOwner() public {
        address[5] memory others = [poster, worker, treasury, fallbackArbitrator, address(this)];
        for (uint256 index = 0; index < others.length; ++index) {
            expectNotOwner(others[index]);
            vm.prank(others[index]);
            registry.setEntriesPaused(true);
        }
    }

    function test_followsAHandoverOnceItIsAccepted() public {
        Ownable2Step owned = Ownable2Step(address(registry));
        vm.prank(owner);
        owned.transferOwnership(rival);
        expectNotOwner(rival);
        vm.prank(rival);
        registry.setEntriesPaused(true);
        pause(true);
        vm.prank(rival);
        owned.acceptOwnership();
        expectNotOwner(owner);
        vm.prank(owner);
        registry.setEntriesPaused(false);
        owner = rival;
        pause(false);
    }

    function pause(bool paused) private {
        vm.expectEmit(address(registry));
        emit ITaskRegistry.EntriesPaused(paused);
        vm.prank(owner);
        registry.setEntriesPaused(paused);
        assertEq(registry.entriesPaused(), paused);
    }

    function expectNotOwner(address caller) private {
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, caller));
    }
}
