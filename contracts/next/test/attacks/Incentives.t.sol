// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./WealthTest.sol";
import {RoundsFeed} from "../mocks/Feeds.sol";

/// @notice What pays the wrong side in the contracts that are deployed now does not here. Each harm is shown by the test of the
/// same subject in contracts/test/attacks/Incentives.t.sol.
abstract contract IncentivesTest is WealthTest {
    RoundsFeed private _sequencer;

    function setUp() public virtual override {
        vm.warp(START - 30 days);
        _sequencer = new RoundsFeed();
        sequencerFeed = address(_sequencer);
        super.setUp();
    }

    // A judge earns the same by every ruling, and what came in goes out.

    function testFuzz_theJudgesPayIsConstant(uint16 workerBps, bool withBond) public {
        workerBps = uint16(bound(workerBps, 0, 10_000));
        uint256 taskId = withBond ? escalated() : unbonded();
        Wealth[3] memory before = [wealthOf(fallbackArbitrator), wealthOf(poster), wealthOf(worker)];
        uint256 supply = tok.totalSupply();
        rule(taskId, workerBps);
        int256 lost = (F * int256(uint256(workerBps))) / 10_000;
        int256 toWorker = (D * int256(uint256(workerBps))) / 10_000;
        int256 ofBond = (bondUsdc() * int256(uint256(workerBps))) / 10_000;
        bool costsBond = withBond && workerBps >= 9_000;
        bool winsBond = withBond && workerBps <= 1_000;
        int256 moved =
            costsBond
                ? -bondUsdc()
                : winsBond
                    ? bondUsdc()
                    : int256(0);
        assertWon(fallbackArbitrator, before[0], withBond ? F : int256(0), withBond ? int256(0) : bondUsdc(), "judge");
        assertWon(poster, before[1], D - toWorker + F - lost, withBond ? moved : -ofBond, "poster");
        assertWon(
            worker,
            before[2],
            toWorker + (withBond ? lost : int256(0)),
            withBond ? -moved : ofBond - bondUsdc(),
            "worker"
        );
        assertEq(int256(supply - tok.totalSupply()), withBond ? int256(0) : lost, "burned");
        assertNothingLeft(taskId);
    }

    function test_aDisputeIsOpenedWithABondAlways() public {
        uint256 taskId = delivered();
        uint256 balance = tok.balanceOf(poster);
        tokAs(poster).transfer(stranger, balance - uint256(F) + 1);
        uint64 deliveredAt = taskOf(taskId).updatedAt;
        vm.expectRevert();
        registryAs(poster).openDispute(taskId, deliveredAt, EVIDENCE, EVIDENCE_URI);
        tok.transfer(poster, 1);
        registryAs(poster).openDispute(taskId, deliveredAt, EVIDENCE, EVIDENCE_URI);
        assertEq(tok.balanceOf(poster), 0);
    }

    function test_laterMilestonesPayTheBond() public {
        uint256 taskId = post(threeMilestones(), TOTAL);
        claim(taskId, worker);
        start(taskId);
        deliver(taskId);
        uint256 balance = tok.balanceOf(poster);
        tokAs(poster).transfer(stranger, balance);
        openDispute(taskId);
        assertEq(tok.balanceOf(poster), 5_000e18 - 50e18);
    }

    function test_anHonestPosterIsWholeAfterAnAnswerWithoutABond() public {
        Wealth memory ofPoster = wealthOf(poster);
        Wealth memory ofWorker = wealthOf(worker);
        uint256 taskId = unbonded();
        rule(taskId, 0);
        assertWon(poster, ofPoster, -A, 0, "poster");
        assertWon(worker, ofWorker, -A, -bondUsdc(), "worker");
    }

    function test_whoIsInTheRightEarnsMoreWithABond() public {
        uint256 taskId = disputed();
        uint256 snapshot = vm.snapshotState();
        Wealth memory before = wealthOf(worker);
        answerWithoutBond(taskId);
        waiveHearing(taskId);
        rule(taskId, 10_000);
        assertWon(worker, before, D, 0, "without");
        vm.revertToState(snapshot);
        answerWithBond(taskId);
        skip(3 days + 1);
        court.escalate(taskId);
        waiveHearing(taskId);
        rule(taskId, 10_000);
        assertWon(worker, before, D, bondUsdc(), "with");
    }

    /// @dev Ruled or conceded, with or without a bond of the worker: the poster loses both bonds.
    function test_aFrivolousDisputeCostsBothBonds() public {
        uint256 taskId = delivered();
        for (uint256 way = 0; way < 4; ++way) {
            uint256 snapshot = vm.snapshotState();
            Wealth memory before = wealthOf(poster);
            openDispute(taskId);
            if (way % 2 == 0) {
                answerWithoutBond(taskId);
            } else {
                answerWithBond(taskId);
                skip(3 days + 1);
                court.escalate(taskId);
            }
            waiveHearing(taskId);
            if (way < 2) rule(taskId, 10_000);
            else concede(poster, taskId);
            assertWon(poster, before, -F, -bondUsdc(), "poster");
            assertNothingLeft(taskId);
            vm.revertToState(snapshot);
        }
    }

    /// @dev Who gives in before a judge is in office loses half of its bond to the other side, and its collateral.
    function test_concedingEarly() public {
        for (uint256 way = 0; way < 4; ++way) {
            uint256 snapshot = vm.snapshotState();
            uint256 taskId = delivered();
            Wealth memory ofPoster = wealthOf(poster);
            Wealth memory ofWorker = wealthOf(worker);
            openDispute(taskId);
            bool isAnswered = way >= 2;
            if (isAnswered) answerWithBond(taskId);
            if (way % 2 == 0) {
                concede(poster, taskId);
                assertWon(poster, ofPoster, -F / 2, -bondUsdc(), "poster gives in");
                assertWon(worker, ofWorker, D + F / 2, bondUsdc(), "worker wins");
            } else {
                concede(worker, taskId);
                int256 half = isAnswered ? F / 2 : int256(0);
                assertWon(poster, ofPoster, D + half, bondUsdc(), "poster wins");
                assertWon(worker, ofWorker, -half, -bondUsdc(), "worker gives in");
            }
            assertNothingLeft(taskId);
            vm.revertToState(snapshot);
        }
    }

    function test_aSettlementPaysTheJudgeByHalves() public {
        for (uint256 way = 0; way < 2; ++way) {
            uint256 snapshot = vm.snapshotState();
            uint256 taskId = way == 0 ? escalated() : unbonded();
            Wealth memory judge = wealthOf(fallbackArbitrator);
            Wealth memory ofWorker = wealthOf(worker);
            bytes32 digest = registry.hashSettlement(taskId, 2_500, clock());
            courtAs(poster).mutualSettle(taskId, 2_500, clock(), "", signWith(workerKey, digest));
            assertWon(fallbackArbitrator, judge, way == 0 ? F : int256(0), way == 0 ? int256(0) : bondUsdc(), "judge");
            int256 tokWon = D / 4 + (way == 0 ? F / 2 : int256(0));
            assertWon(worker, ofWorker, tokWon, way == 0 ? int256(0) : -bondUsdc() / 2, "worker");
            assertNothingLeft(taskId);
            vm.revertToState(snapshot);
        }
    }

    function test_aLateJudgeEarnsNothing() public {
        for (uint256 way = 0; way < 6; ++way) {
            uint256 snapshot = vm.snapshotState();
            bool withBond = way % 2 == 0;
            uint256 taskId = withBond ? escalated() : unbonded();
            skip(30 days);
            Wealth memory judge = wealthOf(fallbackArbitrator);
            Wealth memory ofWorker = wealthOf(worker);
            if (way < 2) {
                rule(taskId, 10_000);
            } else if (way < 4) {
                concede(poster, taskId);
            } else {
                bytes32 digest = registry.hashSettlement(taskId, 10_000, clock());
                courtAs(poster).mutualSettle(taskId, 10_000, clock(), "", signWith(workerKey, digest));
            }
            assertWon(fallbackArbitrator, judge, 0, 0, "judge");
            int256 bonds = withBond ? F : int256(0);
            assertWon(worker, ofWorker, D + bonds, way < 4 ? bondUsdc() : int256(0), "worker");
            assertNothingLeft(taskId);
            vm.revertToState(snapshot);
        }
    }

    function test_silenceOfTheFallback() public {
        uint256 taskId = delivered();
        for (uint256 way = 0; way < 2; ++way) {
            uint256 snapshot = vm.snapshotState();
            Wealth memory ofPoster = wealthOf(poster);
            Wealth memory ofWorker = wealthOf(worker);
            openDispute(taskId);
            if (way == 0) answerWithBond(taskId);
            else answerWithoutBond(taskId);
            skip(3 days + 1);
            if (way == 0) court.escalate(taskId);
            skip(7 days + 1);
            court.resolveTimedOut(taskId);
            assertWon(poster, ofPoster, way == 0 ? D / 2 : D, 0, "poster");
            assertWon(worker, ofWorker, way == 0 ? D / 2 : int256(0), 0, "worker");
            assertNothingLeft(taskId);
            vm.revertToState(snapshot);
        }
    }

    // A clock that is over stays over.

    function test_anOutageRevivesNoClock() public {
        uint256 taskId = delivered();
        TaskView memory task = taskOf(taskId);
        vm.warp(task.updatedAt + REVIEW + 1);
        _sequencer.set(true);
        skip(1 minutes);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.ReviewOver.selector, task.updatedAt + REVIEW));
        registryAs(poster).openDispute(taskId, task.updatedAt, EVIDENCE, EVIDENCE_URI);
        registry.resolveTimedOut(taskId);
        assertState(taskId, State.COMPLETED);
    }

    function test_aFlappingFeedMovesAnEndOnce() public {
        uint256 taskId = disputed();
        skip(3 days - 10 minutes);
        for (uint256 round = 0; round < 8; ++round) {
            _sequencer.set(round % 2 == 0);
            skip(20 minutes);
        }
        court.resolveTimedOut(taskId);
        assertPhase(taskId, Phase.CLOSED);
    }

    function test_noFeedMovesSilenceByMoreThanAWeek() public {
        uint256 taskId = disputed();
        skip(1 days);
        _sequencer.set(true);
        skip(7 days);
        expectTooEarly(court.disputeOf(taskId).phaseEnds);
        court.resolveTimedOut(taskId);
        skip(1);
        court.resolveTimedOut(taskId);
    }

    // The powers of a key

    function test_aPendingFallbackCanBeCancelled() public {
        courtAs(owner).scheduleFallback(stranger);
        courtAs(stranger).acceptFallback();
        skip(30 days - 1);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, stranger));
        courtAs(stranger).cancelFallback();
        vm.expectEmit(address(court));
        emit IDisputeCourt.FallbackCancelled(stranger);
        courtAs(owner).cancelFallback();
        assertEq(court.fallbackArbitrator(), fallbackArbitrator);
        skip(2 days);
        assertEq(court.fallbackArbitrator(), fallbackArbitrator);
        vm.expectRevert(abi.encodeWithSelector(IDisputeCourt.TooLate.selector, uint64(0)));
        courtAs(owner).cancelFallback();
    }

    function test_aTermInForceCannotBeCancelled() public {
        courtAs(owner).scheduleFallback(stranger);
        courtAs(stranger).acceptFallback();
        skip(30 days);
        (, uint64 since) = court.lastFallback();
        expectTooLate(since);
        courtAs(owner).cancelFallback();
    }

    function test_aNewOwnerCancelsWhomTheOldOneNamed() public {
        courtAs(owner).scheduleFallback(stranger);
        courtAs(stranger).acceptFallback();
        vm.prank(owner);
        Ownable2Step(address(court)).transferOwnership(rival);
        vm.prank(rival);
        Ownable2Step(address(court)).acceptOwnership();
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, owner));
        courtAs(owner).cancelFallback();
        courtAs(rival).cancelFallback();
        (address last, ) = court.lastFallback();
        assertEq(last, fallbackArbitrator);
    }

    // Judges

    function test_aJudgeHasTheBondOfThePartiesAtStake() public {
        uint256 taskId = post(noMilestones(), TOTAL);
        uint96 total = 20 * MIN_BOND + 20;
        ITaskRegistry.PostParams memory params = postParams();
        (params.totalAmount, params.fundNow) = (total, total);
        taskId = registryAs(poster).postTask(params);
        claim(taskId, worker);
        start(taskId);
        deliver(taskId);
        openDispute(taskId);
        answerWithBond(taskId);
        expectNotEligible(arbitrator);
        courtAs(poster).proposeArbitrator(taskId, arbitrator);
        courtAs(arbitrator).registerArbitrator(1, 0);
        courtAs(poster).proposeArbitrator(taskId, arbitrator);
    }

    function test_nineTenthsCostTheLoserItsBond() public {
        uint16[6] memory ruled = [uint16(10_000), 9_000, 8_999, 1_001, 1_000, 0];
        int256[6] memory moved = [bondUsdc(), bondUsdc(), int256(0), int256(0), -bondUsdc(), -bondUsdc()];
        uint256 taskId = assigned();
        for (uint256 index = 0; index < 6; ++index) {
            uint256 snapshot = vm.snapshotState();
            int256 before = wealthOf(worker).usdc;
            int256 ofPoster = wealthOf(poster).usdc;
            rule(taskId, ruled[index]);
            assertEq(wealthOf(worker).usdc - before, moved[index]);
            assertEq(wealthOf(poster).usdc - ofPoster, -moved[index]);
            vm.revertToState(snapshot);
        }
    }

    // No score on chain: between own wallets nothing but counters grows, and none for posts and claims.

    function test_thereIsNoScore() public {
        onTrial();
        Reputation memory none;
        assertEq(keccak256(abi.encode(reputation.reputationOf(poster))), keccak256(abi.encode(none)));
        assertEq(keccak256(abi.encode(reputation.reputationOf(worker))), keccak256(abi.encode(none)));
        complete(1);
        none.completed = 1;
        none.lastActive = uint32(clock());
        assertEq(keccak256(abi.encode(reputation.reputationOf(worker))), keccak256(abi.encode(none)));
    }
}

contract IncentivesStandardTest is IncentivesTest {}

contract IncentivesMicroTest is OnMicro, IncentivesTest {}
