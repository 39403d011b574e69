// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import "./MarketTest.sol";
import "./attacks/CourtAttackTest.sol";
import {MockFeed} from "./mocks/MockFeed.sol";

/// @dev The findings of the third reading, played on the contracts that it read: each test passes because its finding is
/// there. `npm run contracts:findings` puts this file beside the tests of the second edition, from the history of the
/// repository, and runs it there. The numbers are those of the table "Third
/// reading" in docs/security.md; contracts/test/attacks/ThirdReading.t.sol has the counterparts. At the price of the
/// fixture, 0.005 USD for a TOK, B is worth 1,000 TOK.
contract SecondEditionTest is CourtAttackTest {
    uint96 private constant WORK = 1_000_000e18;
    int256 private constant D = 1_000_000e18;
    int256 private constant F = 50_000e18;
    int256 private constant A = 1_000e18;
    int256 private constant B = 5e6;

    /// @dev 1. The poster concedes in front of the answer: 1,000 TOK if the worker is awake, against 1,001,000 if it
    /// sleeps. So it pays if one worker in 1,002 sleeps.
    function test_01_bluffingCostTheCollateralAlone() public {
        uint256 snapshot = vm.snapshotState();
        uint256 taskId = disputedWorth(WORK);
        concede(poster, taskId);
        assertEnd(taskId, 0, -B, D, B);
        int256 lost = -posterNet();
        vm.revertToState(snapshot);
        taskId = disputedWorth(WORK);
        lapse(taskId);
        assertEnd(taskId, D, B, 0, -B);
        assertEq(posterNet(), 1_001 * lost);
    }

    /// @dev 2. In every state the worker that leaves pays A more than one that waits, and before the start a mark as well.
    /// Waiting ends by a time-out, after a delivery by a concession.
    function test_02_leavingCostMoreThanSilence() public {
        State[3] memory states = [State.CLAIMED, State.ACTIVE, State.DELIVERED];
        for (uint256 index = 0; index < states.length; ++index) {
            uint256 snapshot = vm.snapshotState();
            int256 bond = index == 0 ? int256(0) : B;
            uint256 taskId = taskIn(states[index]);
            remember();
            leaveTask(taskId);
            assertWorker(-A, -bond, -3);
            vm.revertToState(snapshot);
            taskId = taskIn(states[index]);
            remember();
            if (index == 2) {
                openDispute(taskId);
                concede(worker, taskId);
            } else {
                skip(12 days);
                registry.resolveTimedOut(taskId);
            }
            assertWorker(0, -bond, index == 0 ? int256(0) : -3);
            vm.revertToState(snapshot);
        }
    }

    /// @dev 3. An answer in the last second, without a bond, holds D and F for the review period and a week. The interest
    /// at 10 % a year is 53 times what it costs the worker, A and B.
    function test_03_anAnswerWithoutABondHeldTheMoneyFor37Days() public {
        uint256 taskId = postedWith(10_000_000e18, 10 days, 30 days);
        claim(taskId, worker);
        start(taskId);
        deliver(taskId);
        remember();
        openDispute(taskId);
        uint64 openedAt = clock();
        vm.warp(court.disputeOf(taskId).phaseEnds);
        answerWithoutBond(taskId);
        assertEq(court.disputeOf(taskId).phaseEnds - openedAt, 37 days);
        uint256 stuck = escrow.held(taskId) + tok.balanceOf(address(court)) - court.totalBonded();
        assertEq(stuck, 10_500_000e18);
        vm.warp(court.disputeOf(taskId).phaseEnds);
        rule(taskId, 0);
        assertEnd(taskId, 10_000_000e18, B, 0, -B);
        assertEq(((stuck / 10) * 37 days) / 365 days / uint256(A - inTok(0, -B)), 53);
    }

    /// @dev 4. A judge earns F after its time as within it, and the miss stays unrecorded; the fallback likewise.
    function test_04_aJudgeThatMissedItsTimeEarnedF() public {
        for (uint256 way = 0; way < 5; ++way) {
            uint256 taskId = way < 2 ? assignedWorth(WORK) : escalatedWorth(WORK);
            address judge = court.disputeOf(taskId).judge;
            Wealth memory before = wealthOf(judge);
            skip(8 days);
            if (way == 4) rule(taskId, 5_000);
            else if (way % 2 == 0) concede(poster, taskId);
            else settle(taskId, 5_000);
            assertOutcome(judge, before, F, 0);
        }
        (IDisputeCourt.Arbitrator memory record, ) = court.arbitratorOf(arbitrator);
        assertEq(record.missed, 0);
    }

    /// @dev 5. Nobody has filed anything after the assignment, and no second has passed.
    function test_05_aRulingInTheSecondOfTheAssignmentEarnedF() public {
        uint256 taskId = answeredWorth(WORK);
        Wealth memory before = wealthOf(arbitrator);
        uint64 assignedAt = clock();
        courtAs(poster).proposeArbitrator(taskId, arbitrator);
        courtAs(worker).proposeArbitrator(taskId, arbitrator);
        courtAs(arbitrator).resolveDispute(taskId, 0, REASON, REASON_URI);
        assertEq(clock(), assignedAt);
        assertOutcome(arbitrator, before, F, 0);
    }

    /// @dev 6. A friend of the poster answers for the worker with a confession: for F it takes the worker's place, and
    /// the poster has D and B if the judge believes it.
    function test_06_aSponsorSpokeForTheWorker() public {
        uint256 taskId = disputedWorth(WORK);
        Wealth memory friend = wealthOf(sponsor);
        bytes32 confession = keccak256("I was lazy");
        vm.expectEmit(address(court));
        emit IDisputeCourt.DisputeAnswered(taskId, sponsor, true, clock() + 3 days, confession, "ipfs://confession");
        courtAs(sponsor).answerDispute(taskId, true, confession, "ipfs://confession");
        expectWrongPhase(Phase.PROPOSING);
        courtAs(worker).answerDispute(taskId, true, EVIDENCE, EVIDENCE_URI);
        skip(3 days + 1);
        court.escalate(taskId);
        rule(taskId, 0);
        assertEnd(taskId, D, B, 0, -B);
        assertOutcome(sponsor, friend, -F, 0);
    }

    /// @dev 7. For one fee a squatter ends a task that has two days left.
    function test_07_oneClaimEndedATaskWithTwoDaysLeft() public {
        uint256 taskId = postedWith(TOTAL, 2 days, REVIEW);
        Wealth memory squatter = wealthOf(rival);
        claim(taskId, rival);
        skip(2 days + 1);
        registry.resolveTimedOut(taskId);
        assertState(taskId, State.CANCELLED);
        assertOutcome(rival, squatter, -A, 0);
    }

    /// @dev 8. A worker that signed cannot take it back. 360 days later the poster uses it, and has B for A: 5 USDC for
    /// half a USDC, once a TOK is worth 0.0005 USD.
    function test_08_signedTermsTookABondAYearLater() public {
        TaskTerms memory terms = signedTerms(Scope.PRIVATE, noMilestones());
        terms.acceptBy = clock() + 360 days;
        terms.deadline = clock() + 361 days;
        bytes32 digest = registry.hashTerms(terms);
        bytes memory workerSig = signWith(workerKey, digest);
        vm.prank(worker);
        (bool revoked, ) = address(registry).call(abi.encodeWithSignature("revokeTerms(bytes32)", digest));
        assertFalse(revoked);
        skip(360 days);
        remember();
        uint256 taskId = registryAs(poster).createTask(terms, noMilestones(), "", workerSig, "", TOTAL);
        start(taskId);
        vm.warp(terms.deadline + 1 days + 1);
        registry.resolveTimedOut(taskId);
        assertOutcome(poster, posterThen, -A, B);
        assertWorker(-A, -B, -3);
    }

    /// @dev 9. The key of the fallback and one wallet as worker: junk, disputed by an awake poster, is ruled to be worth
    /// everything in the same second. The two have D and B for A, and the poster has lost D, F and B.
    function test_09_theFallbackAndOneWalletTookAnOpenTask() public {
        uint256 taskId = postedWith(WORK, 10 days, REVIEW);
        remember();
        Wealth memory sybil = wealthOf(rival);
        Wealth memory key = wealthOf(fallbackArbitrator);
        uint64 beganAt = clock();
        claim(taskId, rival);
        start(taskId);
        deliver(taskId);
        openDispute(taskId);
        answerWithoutBond(taskId);
        courtAs(fallbackArbitrator).resolveDispute(taskId, WHOLE, REASON, REASON_URI);
        assertEq(clock(), beganAt);
        assertOutcome(poster, posterThen, -F, -B);
        assertOutcome(rival, sybil, D - F - A, B);
        assertOutcome(fallbackArbitrator, key, F, 0);
    }

    /// @dev 10. One funded task baits three workers that sleep, for the one fee of its post. A poster that owns all stake
    /// gets two fifths of the four fees, and is 600 TOK richer.
    function test_10_aFundedBaitCostNothingForEachWorker() public {
        uint256 snapshot = vm.snapshotState();
        baitThreeWorkers();
        assertOutcome(poster, posterThen, -A, 0);
        vm.revertToState(snapshot);
        openStaking();
        vm.prank(poster);
        staking.stake(1_000_000e18);
        baitThreeWorkers();
        gateway.flush();
        skip(8 days);
        int256 gain = tokGain(poster, posterThen);
        assertTrue(gain <= 600e18 && gain > 600e18 - 1e6, "but for rounding");
    }

    function baitThreeWorkers() private {
        remember();
        uint256 taskId = posted();
        address[3] memory victims = [worker, rival, sponsor];
        for (uint256 index = 0; index < victims.length; ++index) {
            Wealth memory victim = wealthOf(victims[index]);
            claim(taskId, victims[index]);
            skip(2 days + 1);
            registry.resolveTimedOut(taskId);
            assertOutcome(victims[index], victim, -A, 0);
        }
        registryAs(poster).cancelTask(taskId);
    }

    /// @dev 11. The chain stands still for the review period. In its first second prices wait for an hour, and the junk
    /// is paid.
    function test_11_anOutagePaidJunk() public {
        MockFeed sequencer = new MockFeed();
        uint256 taskId = postedWith(WORK, 10 days, 12 hours);
        claim(taskId, worker);
        start(taskId);
        deliver(taskId);
        remember();
        skip(12 hours + 1);
        sequencer.set(0, clock(), clock());
        assertFalse(hasPrice(sequencer));
        registry.resolveTimedOut(taskId);
        assertOutcome(worker, workerThen, D, 0);
    }

    /// @dev 12. Three friends judge each other: a case in the record costs them two fees.
    function test_12_aRecordCostTwoFeesForEachCase() public {
        uint256 before = wealthOf(poster).tok + wealthOf(worker).tok + wealthOf(arbitrator).tok;
        for (uint256 turn = 0; turn < 3; ++turn) rule(assignedWorth(100e18), 5_000);
        uint256 rest = wealthOf(poster).tok + wealthOf(worker).tok + wealthOf(arbitrator).tok;
        (IDisputeCourt.Arbitrator memory record, ) = court.arbitratorOf(arbitrator);
        assertEq(record.resolved, 3);
        assertEq(before - rest, 6 * uint256(A));
    }

    /// @dev 13. For one TOK that is missing, 1,000,000 are paid for junk.
    function test_13_aPosterWithoutFWasNotHeard() public {
        uint256 taskId = deliveredWorth(WORK);
        uint64 deliveredAt = taskOf(taskId).updatedAt;
        leaveTok(poster, 49_999e18);
        vm.expectRevert(
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, poster, 49_999e18, uint256(F))
        );
        openDisputeOf(taskId, deliveredAt);
        skip(REVIEW + 1);
        registry.resolveTimedOut(taskId);
        assertOutcome(worker, workerThen, D, 0);
    }

    /// @dev 14. The poster pays the fee of the notice, and the absentee nothing.
    function test_14_anAbsenteeKeptItsBond() public {
        uint256 taskId = active();
        remember();
        giveNotice(taskId);
        skip(1 days + 1);
        dismiss(taskId);
        assertOutcome(poster, posterThen, -A, 0);
        assertOutcome(worker, workerThen, 0, 0);
    }

    /// @dev 15. Who claims a task that was listed again signs for 6,000 TOK, and 5,000 are left.
    function test_15_aRelistedTaskOfferedTheFullTotal() public {
        uint256 taskId = relistedWithOnePaid();
        TaskTerms memory terms = signedTerms(Scope.OPEN, threeMilestones());
        terms.worker = rival;
        terms.deadline = taskOf(taskId).deadline;
        terms.salt = bytes32((taskId << 32) | 1);
        terms.acceptBy = 0;
        assertEq(registry.openDigest(taskId, rival), termsDigest(terms));
        assertEq(terms.totalAmount, 6_000e18);
        assertEq(escrow.held(taskId), 5_000e18);
    }

    /// @dev 15. The poster accepts the delivery that it saw, by its second, and pays another one.
    function test_15_aRedeliveryInTheSameSecondWasPaid() public {
        uint256 taskId = delivered();
        remember();
        uint64 seen = taskOf(taskId).updatedAt;
        registryAs(worker).submitProof(taskId, 0, keccak256("other"), "ipfs://other");
        registryAs(poster).acceptMilestone(taskId, 0, seen);
        assertOutcome(worker, workerThen, int256(uint256(TOTAL)), 0);
    }

    /// @dev 15. A feed that never began says nothing about the sequencer.
    function test_15_aFeedThatNeverBeganCountedAsUp() public {
        assertTrue(hasPrice(new MockFeed()));
    }

    /// @dev 16. The type as docs/contracts.md printed it; the contracts hash `uint8 phase` after `held`.
    function test_16_aSignatureByTheGuideWasRefused() public {
        uint256 taskId = delivered();
        TaskView memory task = taskOf(taskId);
        bytes32 printed = keccak256(
            "MutualSettlement(uint256 taskId,address poster,address worker,uint32 round,uint8 milestone,uint8 state,uint64 updatedAt,uint96 held,uint16 workerBps,uint64 validUntil)"
        );
        bytes memory parties = abi.encode(printed, taskId, poster, worker, task.round, task.milestone, task.state);
        bytes memory offer = abi.encode(task.updatedAt, escrow.held(taskId), uint16(5_000), clock());
        bytes32 domain = domainSeparator(block.chainid, address(registry));
        bytes memory workerSig = signWith(workerKey, typedDigest(domain, keccak256(bytes.concat(parties, offer))));
        expectBadSignature(worker);
        courtAs(poster).mutualSettle(taskId, 5_000, clock(), "", workerSig);
    }

    /// @dev 16. docs/operations/register-arbitrator.md printed 10 % of the bond, 101,000 TOK here.
    function test_16_aMissCostNotTheTenthOfTheGuide() public {
        (IDisputeCourt.Arbitrator memory record, ) = court.arbitratorOf(arbitrator);
        assertEq(record.bond, 1_010_000e18);
        assertMiss(WORK, 50_000e18);
        assertMiss(100e18, 1_000e18);
    }

    function assertMiss(uint96 amount, int256 slashed) private {
        uint256 taskId = assignedWorth(amount);
        Wealth memory before = wealthOf(arbitrator);
        skip(5 days + 1);
        court.escalate(taskId);
        assertOutcome(arbitrator, before, -slashed, 0);
    }

    function assertWorker(int256 tokWon, int256 usdcWon, int256 score) private view {
        assertOutcome(worker, workerThen, tokWon, usdcWon);
        assertEq(scoreOf(worker), score);
    }

    /// @dev Funded in full.
    function postedWith(uint96 total, uint64 duration, uint32 review) private returns (uint256) {
        ITaskRegistry.PostParams memory params = postParams();
        (params.totalAmount, params.fundNow) = (total, total);
        (params.deadline, params.reviewPeriod) = (clock() + duration, review);
        return registryAs(poster).postTask(params);
    }

    /// @dev Whether the oracle gives the price of the fixture, with this feed of the sequencer.
    function hasPrice(MockFeed sequencer) private returns (bool ok) {
        (ok, , ) = IUsdOracle(deploy("UsdOracle", abi.encode(feed, sequencer, 1 days, 1, 1e12))).tryPrice();
    }

    function registryAs(address caller) private returns (ITaskRegistry) {
        vm.prank(caller);
        return registry;
    }

    function courtAs(address caller) private returns (IDisputeCourt) {
        vm.prank(caller);
        return court;
    }
}
