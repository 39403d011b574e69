// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "../mocks/Feeds.sol";
import "./CourtAttackTest.sol";

/// @dev Dishonest or careless ways that were cheaper than the honest one, each with what it costs since. The numbers are
/// those of the third reading in docs/security.md; 9 is a matter of deployment, and 10 is left open with its figures.
abstract contract ThirdReading is CourtAttackTest {
    uint96 private constant D = 1_000_000e18;

    /// @dev 1. Conceding in front of the answer cost B alone.
    function test_01_bluffingCostsHalfOfFAlsoBeforeTheAnswer() public {
        uint256 taskId = disputedWorth(D);
        concede(poster, taskId);
        int256 half = feeOf(D) / 2;
        assertEnd(taskId, -half, -collateral(), int256(uint256(D)) + half, collateral());
    }

    /// @dev 2. Leaving was the most expensive way out of every state.
    function test_02_silenceLeavesAMarkAndTheWholeBond() public {
        uint256 snapshot = vm.snapshotState();
        uint256 taskId = claimed();
        remember();
        skip(2 days + 1);
        registry.resolveTimedOut(taskId);
        assertEq(workerNet(), 0);
        assertEq(scoreOf(worker), -3, "a claim that lapses is remembered");
        vm.revertToState(snapshot);
        taskId = claimed();
        remember();
        leaveTask(taskId);
        assertEq(workerNet(), -int256(uint256(FEE)));
        assertEq(scoreOf(worker), 0, "one that is given back is not");
        vm.revertToState(snapshot);
        taskId = delivered();
        remember();
        leaveTask(taskId);
        assertEq(workerNet(), inTok(-int256(uint256(FEE)), -collateral() / 2));
        vm.revertToState(snapshot);
        taskId = active();
        remember();
        vm.warp(taskOf(taskId).deadline + 1 days + 1);
        registry.resolveTimedOut(taskId);
        assertEq(workerNet(), inTok(0, -collateral()));
    }

    /// @dev 3. Junk, answered without a bond in the last second, held D and F for the review period and a week.
    function test_03_anAnswerWithoutABondNeverMakesTheCaseLongerThanAWeek() public {
        ITaskRegistry.PostParams memory params = postParams();
        params.totalAmount = 10_000_000e18;
        params.fundNow = 10_000_000e18;
        params.reviewPeriod = 7 days;
        uint256 taskId = registryAs(poster).postTask(params);
        claim(taskId, worker);
        start(taskId);
        deliver(taskId);
        openDispute(taskId);
        uint64 openedAt = clock();
        skip(3 days);
        answerWithoutBond(taskId);
        assertEq(court.disputeOf(taskId).phaseEnds - openedAt, 7 days);
    }

    /// @dev 4. A judge that let its time pass was paid by a late concession or settlement.
    function test_04_aJudgeThatMissedItsTimeEarnsNothing() public {
        int256 half = feeOf(D) / 2;
        uint256 taskId = assignedWorth(D);
        Wealth memory judge = wealthOf(arbitrator);
        skip(6 days);
        concede(poster, taskId);
        assertTrue(tokGain(arbitrator, judge) < 0, "the miss is slashed");
        assertEnd(taskId, -2 * half, -collateral(), int256(uint256(D)) + 2 * half, collateral());
        taskId = assignedWorth(D);
        judge = wealthOf(arbitrator);
        skip(6 days);
        settle(taskId, 5_000);
        assertTrue(tokGain(arbitrator, judge) < 0, "the miss is slashed");
        assertEnd(taskId, int256(uint256(D / 2)), 0, int256(uint256(D / 2)), 0);
        (IDisputeCourt.Arbitrator memory record, ) = court.arbitratorOf(arbitrator);
        assertEq(record.missed, 2);
        assertEq(record.openCases, 0);
        judge = wealthOf(fallbackArbitrator);
        for (uint256 way = 0; way < 3; ++way) {
            taskId = escalatedWorth(D);
            skip(8 days);
            if (way == 0) concede(worker, taskId);
            else if (way == 1) settle(taskId, 5_000);
            else rule(taskId, 5_000);
            assertOutcome(fallbackArbitrator, judge, 0, 0);
        }
    }

    /// @dev 5. A ruling in the second of the assignment, unread, earned F.
    function test_05_noJudgeRulesBeforeTheHearingIsOverOrBothWereHeard() public {
        uint256 taskId = answeredWorth(D);
        courtAs(poster).proposeArbitrator(taskId, arbitrator);
        courtAs(worker).proposeArbitrator(taskId, arbitrator);
        uint64 from = clock() + court.hearingTime();
        assertEq(court.disputeOf(taskId).rulingFrom, from);
        expectTooEarly(from - 1);
        courtAs(arbitrator).resolveDispute(taskId, 5_000, REASON, REASON_URI);
        courtAs(poster).submitEvidence(taskId, 0, "");
        expectTooEarly(from - 1);
        courtAs(arbitrator).resolveDispute(taskId, 5_000, REASON, REASON_URI);
        uint256 snapshot = vm.snapshotState();
        courtAs(worker).submitEvidence(taskId, EVIDENCE, EVIDENCE_URI);
        assertEq(court.disputeOf(taskId).rulingFrom, clock());
        courtAs(arbitrator).resolveDispute(taskId, 5_000, REASON, REASON_URI);
        vm.revertToState(snapshot);
        vm.warp(from - 1);
        expectTooEarly(from - 1);
        courtAs(arbitrator).resolveDispute(taskId, 5_000, REASON, REASON_URI);
        vm.warp(from);
        courtAs(arbitrator).resolveDispute(taskId, 5_000, REASON, REASON_URI);
        // What was heard by the arbitrator does not count for the fallback that follows it.
        taskId = assignedWorth(D);
        skip(5 days + 1);
        court.escalate(taskId);
        assertEq(court.disputeOf(taskId).rulingFrom, clock() + court.hearingTime());
    }

    /// @dev 6. A sponsor's document was that of the worker's side.
    function test_06_aSponsorCannotSpeakForTheWorker() public {
        uint256 taskId = disputedWorth(D);
        expectNotParty(sponsor);
        courtAs(sponsor).answerDispute(taskId, true, keccak256("I was lazy"), "");
        expectNotParty(sponsor);
        courtAs(sponsor).answerDispute(taskId, true, 0, "ipfs://confession");
        courtAs(sponsor).answerDispute(taskId, true, 0, "");
        assertPhase(taskId, Phase.PROPOSING);
    }

    /// @dev 7. One claim ended a task with two days left.
    function test_07_theListingGetsTheTimeOfAClaimBack() public {
        uint256[3] memory tasks = [endingSoon(), endingSoon(), endingSoon()];
        uint64 deadline = taskOf(tasks[0]).deadline;
        for (uint256 index = 0; index < 3; ++index) claim(tasks[index], rival);
        skip(2 days + 1);
        registry.resolveTimedOut(tasks[0]);
        leaveTask(tasks[1]);
        dismiss(tasks[2]);
        for (uint256 index = 0; index < 3; ++index) {
            assertState(tasks[index], State.POSTED);
            assertEq(taskOf(tasks[index]).deadline, deadline + 2 days + 1);
        }
    }

    /// @dev 8. Signed terms could not be taken back, and could be used months later.
    function test_08_signedTermsCanBeTakenBackAndEndInTwoWeeks() public {
        TaskTerms memory terms = signedTerms(Scope.OPEN, noMilestones());
        terms.acceptBy = clock() + 14 days;
        bytes32 digest = registry.hashTerms(terms);
        bytes memory workerSig = signWith(workerKey, digest);
        bytes memory posterSig = signWith(posterKey, digest);
        uint256 snapshot = vm.snapshotState();
        registryAs(rival).revokeTerms(digest);
        registryAs(poster).createTask(terms, noMilestones(), "", workerSig, "", TOTAL);
        vm.revertToState(snapshot);
        for (uint256 side = 0; side < 2; ++side) {
            snapshot = vm.snapshotState();
            address signer = side == 0 ? worker : poster;
            vm.expectEmit(address(registry));
            emit ITaskRegistry.TermsRevoked(signer, digest);
            registryAs(signer).revokeTerms(digest);
            assertTrue(registry.isRevoked(signer, digest));
            vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.TermsAreRevoked.selector, digest));
            registryAs(poster).createTask(terms, noMilestones(), "", workerSig, "", TOTAL);
            vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.TermsAreRevoked.selector, digest));
            registryAs(worker).createTask(terms, noMilestones(), posterSig, "", "", 0);
            vm.revertToState(snapshot);
        }
        terms.acceptBy += 1;
        workerSig = signWith(workerKey, registry.hashTerms(terms));
        expectBadTerms("acceptBy");
        registryAs(poster).createTask(terms, noMilestones(), "", workerSig, "", TOTAL);
    }

    /// @dev 11. A chain that stood still for longer than the review paid junk in its first block.
    function test_11_afterAnOutageSilenceWaitsForAnHour() public {
        MockFeed sequencer = new MockFeed();
        sequencer.set(0, 1, 1);
        deployWithSequencer(address(sequencer));
        uint256 taskId = delivered();
        uint256 toDispute = delivered();
        skip(4 days);
        sequencer.set(0, clock(), clock());
        uint64 reviewEnds = taskOf(taskId).updatedAt + REVIEW;
        expectTooEarly(reviewEnds);
        registry.resolveTimedOut(taskId);
        openDispute(toDispute);
        uint64 answerEnds = court.disputeOf(toDispute).phaseEnds;
        skip(1 hours);
        expectTooEarly(reviewEnds);
        registry.resolveTimedOut(taskId);
        skip(1);
        registry.resolveTimedOut(taskId);
        assertState(taskId, State.COMPLETED);
        vm.warp(answerEnds + 1);
        sequencer.set(1, clock(), clock());
        expectTooEarly(answerEnds);
        court.resolveTimedOut(toDispute);
        // A feed that never comes back holds nobody's money.
        skip(7 days + 1);
        court.resolveTimedOut(toDispute);
    }

    /// @dev 12. A record was bought for two fees a case; it now counts pairs of parties and what was at stake.
    function test_12_casesOfOnePairCountOnce() public {
        for (uint256 turn = 0; turn < 3; ++turn) rule(assignedWorth(1_000e18), 5_000);
        (IDisputeCourt.Arbitrator memory record, ) = court.arbitratorOf(arbitrator);
        assertEq(record.resolved, 3);
        assertEq(record.pairs, 1);
        assertEq(record.judgedAmount, 3_000e18);
        (poster, worker) = (worker, poster);
        rule(assignedWorth(1_000e18), 5_000);
        (poster, worker) = (worker, poster);
        poster = rival;
        rule(assignedWorth(1_000e18), 5_000);
        (record, ) = court.arbitratorOf(arbitrator);
        assertEq(record.resolved, 5);
        assertEq(record.pairs, 2);
    }

    /// @dev 13. A poster short of one TOK lost 1,000,000 to junk. It is heard now; the fee comes out of what it gets.
    function test_13_aPosterWithoutFIsHeard() public {
        uint256 taskId = deliveredWorth(D);
        leaveTok(poster, 49_999e18);
        remember();
        openWithoutBond(taskId);
        assertPhase(taskId, Phase.ESCALATED);
        assertEq(court.disputeOf(taskId).posterPayer, address(0));
        Wealth memory judge = wealthOf(fallbackArbitrator);
        uint256 snapshot = vm.snapshotState();
        rule(taskId, 0);
        assertEnd(taskId, int256(uint256(D)) - feeOf(D), collateral(), 0, -collateral());
        assertOutcome(fallbackArbitrator, judge, feeOf(D), 0);
        vm.revertToState(snapshot);
        rule(taskId, WHOLE);
        assertEnd(taskId, 0, -collateral(), int256(uint256(D)), collateral());
        assertOutcome(fallbackArbitrator, judge, 0, 0);
    }

    /// @dev 13. It is no bluff: a worker that sleeps loses nothing by it, and a silent fallback pays the worker.
    function test_13_withoutFNeitherASleepingWorkerNorASilentFallbackHelpsThePoster() public atEveryAmount {
        uint256 taskId = deliveredWorth(atStake);
        openWithoutBond(taskId);
        uint256 snapshot = vm.snapshotState();
        lapse(taskId);
        assertEnd(taskId, 0, 0, int256(uint256(atStake)), 0);
        vm.revertToState(snapshot);
        concede(poster, taskId);
        assertEnd(taskId, 0, -collateral(), int256(uint256(atStake)), collateral());
    }

    function testFuzz_13_everyRulingWithoutFAddsUp(uint256 amount, uint16 workerBps) public {
        uint96 worth = boundAmount(amount);
        workerBps = uint16(bound(workerBps, 1, WHOLE - 1));
        uint256 taskId = deliveredWorth(worth);
        openWithoutBond(taskId);
        Wealth memory judge = wealthOf(fallbackArbitrator);
        rule(taskId, workerBps);
        int256 won = share(int256(uint256(worth)), workerBps);
        int256 fee = feeOf(worth) - share(feeOf(worth), workerBps);
        assertEnd(taskId, int256(uint256(worth)) - won - fee, 0, won, 0);
        assertOutcome(fallbackArbitrator, judge, fee, 0);
    }

    /// @dev 14. An absentee that was dismissed kept its bond. One that answers the notice still does.
    function test_14_anAbsenteeLosesItsBondToThePosterWhoPaidForTheNotice() public {
        uint256 taskId = active();
        uint256 snapshot = vm.snapshotState();
        remember();
        giveNotice(taskId);
        skip(1 days + 1);
        dismiss(taskId);
        assertOutcome(worker, workerThen, 0, -collateral());
        assertOutcome(poster, posterThen, -int256(uint256(FEE)), collateral());
        vm.revertToState(snapshot);
        remember();
        giveNotice(taskId);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.NoticeAnswered(taskId, worker);
        registryAs(worker).answerNotice(taskId);
        assertTrue(taskOf(taskId).noticeAnswered);
        skip(1 days + 1);
        dismiss(taskId);
        assertOutcome(worker, workerThen, 0, 0);
        assertOutcome(poster, posterThen, -int256(uint256(FEE)), 0);
    }

    /// @dev 14. An answer is good for one notice, of one's own task, while it runs.
    function test_14_anAnswerIsGoodForOneNotice() public {
        uint256 taskId = active();
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NoNotice.selector, taskId));
        registryAs(worker).answerNotice(taskId);
        giveNotice(taskId);
        expectNotWorker(rival);
        registryAs(rival).answerNotice(taskId);
        registryAs(worker).answerNotice(taskId);
        skip(2 days + 1);
        giveNotice(taskId);
        assertFalse(taskOf(taskId).noticeAnswered, "a second notice asks again");
        deliver(taskId);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.WrongState.selector, taskId, State.DELIVERED));
        registryAs(worker).answerNotice(taskId);
    }

    /// @dev 15. A redelivery in the same second had the name of the delivery before it.
    function test_15_aRedeliveryTakesALaterSecond() public {
        uint256 taskId = delivered();
        expectTooEarly(clock());
        registryAs(worker).submitProof(taskId, 0, keccak256("other"), "ipfs://other");
        skip(1);
        registryAs(worker).submitProof(taskId, 0, keccak256("other"), "ipfs://other");
    }

    /// @dev 15. Who claims a task that was listed again accepts what is left of it.
    function test_15_aRelistedTaskOffersWhatIsLeft() public {
        uint256 taskId = relistedWithOnePaid();
        TaskTerms memory terms;
        terms.poster = poster;
        terms.worker = rival;
        terms.totalAmount = 5_000e18;
        terms.milestonesHash = keccak256(abi.encodePacked(pair(2_000e18, 3_000e18)));
        terms.criteriaHash = CRITERIA;
        terms.deadline = taskOf(taskId).deadline;
        terms.reviewPeriod = REVIEW;
        terms.salt = bytes32((taskId << 32) | 1);
        assertEq(registry.openDigest(taskId, rival), termsDigest(terms));
        claim(taskId, rival);
        start(taskId);
        deliver(taskId);
        accept(taskId);
        assertEq(digestOf(taskId), termsDigest(terms), "terms do not change under a worker");
        leaveTask(taskId);
        (terms.totalAmount, terms.milestonesHash) = (3_000e18, keccak256(""));
        terms.deadline = taskOf(taskId).deadline;
        terms.salt = bytes32((taskId << 32) | 2);
        assertEq(registry.openDigest(taskId, rival), termsDigest(terms));

        claim(taskId, rival);
        start(taskId);
        deliver(taskId);
        uint256 before = tok.balanceOf(rival);
        accept(taskId);
        assertEq(tok.balanceOf(rival) - before, 3_000e18, "the last worker gets the last milestone");
        assertState(taskId, State.COMPLETED);
        assertEq(escrow.held(taskId), 0, "and nothing is left");
    }

    function endingSoon() private returns (uint256 taskId) {
        ITaskRegistry.PostParams memory params = postParams();
        params.deadline = clock() + 2 days;
        params.fundNow = TOTAL;
        taskId = registryAs(poster).postTask(params);
    }

    function openWithoutBond(uint256 taskId) private {
        uint64 deliveredAt = taskOf(taskId).updatedAt;
        registryAs(poster).openDispute(taskId, deliveredAt, false, EVIDENCE, EVIDENCE_URI);
    }

    function deployWithSequencer(address sequencer) private {
        sequencerFeed = sequencer;
        deployMarket(address(tok), address(usdc));
        equipPeople();
    }
}

contract ThirdReadingStandardTest is ThirdReading {}

contract ThirdReadingMicroTest is OnMicro, ThirdReading {}
