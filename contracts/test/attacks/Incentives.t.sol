// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./CourtAttackTest.sol";
import {MockFeed} from "../mocks/Feeds.sol";

/// @notice What pays the wrong side in these contracts. Each test shows the harm; the one of the same subject in
/// next/test/attacks/Incentives.t.sol shows that the next contracts do not have it.
abstract contract IncentivesTest is CourtAttackTest {
    uint96 private constant STAKE = 100_000e18;

    MockFeed private _sequencer;

    function setUp() public virtual override {
        _sequencer = new MockFeed();
        _sequencer.set(0, START - 30 days, START);
        sequencerFeed = address(_sequencer);
        super.setUp();
    }

    /// @dev A poster that opens without a bond leaves one judge, who earns by one verdict and not by the other.
    function test_theJudgesPayDependsOnTheVerdict() public {
        uint256 taskId = deliveredWorth(STAKE);
        TaskView memory task = registry.getTask(taskId);
        registryAs(poster).openDispute(taskId, task.updatedAt, false, EVIDENCE, EVIDENCE_URI);
        vm.prank(worker);
        (bool answered_, ) = address(court).call(
            abi.encodeCall(IDisputeCourt.answerDispute, (taskId, true, EVIDENCE, EVIDENCE_URI))
        );
        assertFalse(answered_, "nobody may answer with a bond");
        waiveHearing(taskId);
        Wealth memory before = wealthOf(fallbackArbitrator);
        uint256 snapshot = vm.snapshotState();
        courtAs(fallbackArbitrator).resolveDispute(taskId, 0, REASON, REASON_URI);
        assertEq(tokGain(fallbackArbitrator, before), int256(uint256(STAKE)) / 20, "for the poster");
        vm.revertToState(snapshot);
        courtAs(fallbackArbitrator).resolveDispute(taskId, WHOLE, REASON, REASON_URI);
        assertEq(tokGain(fallbackArbitrator, before), 0, "for the worker");
    }

    /// @dev The review ended a week ago, and an outage of a minute gives the poster its dispute back.
    function test_anyOutageRevivesAClock() public {
        uint256 taskId = deliveredWorth(STAKE);
        uint64 deliveredAt = registry.getTask(taskId).updatedAt;
        skip(REVIEW + 7 days);
        _sequencer.set(1, clock(), clock());
        skip(1 minutes);
        openDisputeOf(taskId, deliveredAt);
        assertState(taskId, State.DISPUTED);
    }

    /// @dev A feed that goes down and up within the hour keeps a case open for ever: its silence never ends.
    function test_aFlappingFeedBlocksSilence() public {
        uint256 taskId = disputedWorth(STAKE);
        skip(3 days + 1);
        for (uint256 round = 0; round < 400; ++round) {
            _sequencer.set(int256(round % 2), clock(), clock());
            skip(1 hours);
            vm.expectRevert();
            court.resolveTimedOut(taskId);
        }
    }

    /// @dev A successor whose key leaks before its day comes into force all the same.
    function test_aPendingFallbackCannotBeStopped() public {
        courtAs(owner).scheduleFallback(stranger);
        courtAs(stranger).acceptFallback();
        courtAs(owner).scheduleFallback(address(0));
        vm.prank(owner);
        (bool stopped, ) = address(court).call(abi.encodeWithSignature("cancelFallback()"));
        assertFalse(stopped);
        skip(31 days);
        assertEq(court.fallbackArbitrator(), stranger);
    }

    /// @dev The worker answers the notice and is sent away without pay, with the work it has done; the poster gets no mark.
    function test_aWorkerThatAnsweredIsDismissed() public {
        uint256 taskId = activeWorth(STAKE);
        giveNotice(taskId);
        registryAs(worker).answerNotice(taskId);
        Wealth memory before = wealthOf(worker);
        skip(1 days + 1);
        dismiss(taskId);
        assertOutcome(worker, before, 0, 0);
        (Reputation memory ofWorker, ) = reputation.reputationOf(worker);
        (Reputation memory ofPoster, ) = reputation.reputationOf(poster);
        assertEq(ofWorker.dismissed, 1, "the mark is the worker's");
        assertEq(ofPoster.dismissed, 0, "the poster has none");
    }

    /// @dev The poster funds in the last second in which it must; the worker misses a start that it could not foresee.
    function test_fundingInTheLastSecondMarksTheWorker() public {
        uint256 taskId = claimedUnfunded();
        vm.warp(registry.getTask(taskId).updatedAt + 1 days);
        registryAs(poster).fundTask(taskId, TOTAL);
        skip(1 days + 1);
        registry.resolveTimedOut(taskId);
        (Reputation memory record, ) = reputation.reputationOf(worker);
        assertEq(record.left, 1);
    }

    /// @dev A first milestone of 10 TOK, disputed and conceded, ends a task of 100,000 TOK for nearly nothing but the bond.
    function test_aCrumbEndsATaskOfAnySize() public {
        uint256 taskId = activeWith(STAKE, pair(10e18, STAKE - 10e18));
        deliver(taskId);
        Wealth memory before = wealthOf(poster);
        openDispute(taskId);
        concede(poster, taskId);
        assertOutcome(poster, before, int256(uint256(STAKE)) - 10e18 - 0.25e18, -collateral());
        assertState(taskId, State.RESOLVED);
    }

    /// @dev 1,000 TOK for ever, whatever a TOK is worth: at 0.01 USD a task of 20 USD loses half to one fee.
    function test_theFeeIsFixedForEver() public {
        vm.prank(owner);
        (bool lowered, ) = address(gateway).call(abi.encodeWithSignature("setAccessFee(uint96)", uint96(100e18)));
        assertFalse(lowered);
        assertEq(uint256(policy.accessFee()) * 2, 2_000e18, "20 USD at 0.01 USD a TOK");
    }

    /// @dev A judge with 10,000 TOK at stake is named for ten million, and one basis point spares the loser its bond.
    function test_aSmallJudgeJudgesAFortune() public {
        address small = makeAddr("small");
        equip(small);
        courtAs(small).registerArbitrator(MIN_BOND, 0);
        uint256 taskId = answeredWorth(10_000_000e18);
        agree(taskId, small);
        assertPhase(taskId, Phase.ASSIGNED);
        Wealth memory before = wealthOf(worker);
        rule(taskId, WHOLE - 1);
        assertEq(int256(wealthOf(worker).usdc) - int256(before.usdc), 0, "the loser keeps its bond");
    }

    /// @dev Two wallets of one person raise a score for the fees alone.
    function test_aScoreBetweenOwnWallets() public {
        for (uint256 round = 0; round < 3; ++round) {
            uint256 taskId = active();
            complete(taskId);
        }
        assertEq(scoreOf(worker), 30);
    }

    /// @dev The poster moves the deadline by most of a year; leaving then costs more than silence would have.
    function test_anExtensionHoldsTheWorker() public {
        uint256 taskId = activeWorth(STAKE);
        registryAs(poster).extendDeadline(taskId, clock() + 360 days);
        uint256 snapshot = vm.snapshotState();
        Wealth memory before = wealthOf(worker);
        leaveTask(taskId);
        int256 leaving = net(worker, before);
        assertOutcome(worker, before, -int256(uint256(FEE)), -collateral() / 2);
        vm.revertToState(snapshot);
        vm.warp(registry.getTask(taskId).deadline + 1 days + 1);
        registry.resolveTimedOut(taskId);
        int256 silence = net(worker, before);
        assertTrue(leaving < silence, "who leaves pays more than who says nothing");
        assertEq(lockedOf(worker), 0);
    }

    /// @dev Vouching would need it: an account that pays itself makes money out of nothing.
    function test_aBondThatPaysItsOwnerMakesMoney() public {
        uint256 taskId = active();
        uint96 before = depositOf(poster);
        vm.prank(address(registry));
        deposits.slashBond(poster, poster, false);
        assertEq(depositOf(poster), before + parameters().bondUsdc);
        assertState(taskId, State.ACTIVE);
    }
}

contract IncentivesStandardTest is IncentivesTest {}

contract IncentivesMicroTest is OnMicro, IncentivesTest {}
