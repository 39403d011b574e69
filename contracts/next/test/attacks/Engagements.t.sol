// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./WealthTest.sol";

/// @notice How a worker gets, keeps and loses a task: the trial, dismissals, deadlines, milestones, vouched and instant work.
abstract contract EngagementsTest is WealthTest {
    function dismissOf(uint256 taskId) internal {
        dismiss(taskId);
    }

    // The trial

    function test_aClaimOfFundedWorkIsOnTrial() public {
        uint256 taskId = posted();
        uint64 deadline = taskOf(taskId).deadline;
        claim(taskId, worker);
        TaskView memory task = taskOf(taskId);
        assertState(taskId, State.ACTIVE);
        assertEq(task.trialEnds, clock() + parameters().minReview);
        assertEq(task.deadline, deadline + parameters().minReview, "the deadline gets the trial back");
        expectTooEarly(task.trialEnds);
        registryAs(worker).submitProof(taskId, 0, PROOF, "");
        vm.warp(task.trialEnds);
        expectTooEarly(task.trialEnds);
        registryAs(worker).submitProof(taskId, 0, PROOF, "");
        skip(1);
        assertEq(taskOf(taskId).trialEnds, 0);
        deliver(taskId);
        assertState(taskId, State.DELIVERED);
    }

    function test_startWorkEndsTheTrialOnce() public {
        uint256 taskId = onTrial();
        bytes32 digest = taskOf(taskId).settlementDigest;
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotPoster.selector, worker));
        registryAs(worker).startWork(taskId, digest);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.WorkStarted(taskId, 0);
        registryAs(poster).startWork(taskId, digest);
        assertEq(taskOf(taskId).trialEnds, 0);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.AlreadyStarted.selector, taskId));
        registryAs(poster).startWork(taskId, digest);
        deliver(taskId);
    }

    function test_startWorkAfterTheTrialSaysAlreadyStarted() public {
        uint256 taskId = onTrial();
        endTrial();
        bytes32 digest = taskOf(taskId).settlementDigest;
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.AlreadyStarted.selector, taskId));
        registryAs(poster).startWork(taskId, digest);
    }

    function test_aStartBehindARelistingHitsNobody() public {
        uint256 taskId = onTrial();
        bytes32 digest = taskOf(taskId).settlementDigest;
        leaveTask(taskId);
        claim(taskId, rival);
        bytes32 current = taskOf(taskId).settlementDigest;
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.DigestMismatch.selector, current));
        registryAs(poster).startWork(taskId, digest);
        assertEq(taskOf(taskId).trialEnds, clock() + parameters().minReview);
    }

    function test_theTrialIsOfTheFirstMilestone() public {
        uint256 taskId = post(threeMilestones(), TOTAL);
        claim(taskId, worker);
        endTrial();
        deliver(taskId);
        accept(taskId);
        assertEq(taskOf(taskId).trialEnds, 0);
        dismiss(taskId);
        assertState(taskId, State.ACTIVE);
        deliver(taskId);
        accept(taskId);
        assertEq(taskOf(taskId).dismissAt, 0, "the delivery ended the dismissal");
    }

    /// @dev What was listed again in the middle begins with a trial of the first milestone that is left.
    function test_theNextWorkersTrialIsOfItsFirstMilestone() public {
        uint256 taskId = post(threeMilestones(), TOTAL);
        claim(taskId, worker);
        start(taskId);
        deliver(taskId);
        accept(taskId);
        leaveTask(taskId);
        claim(taskId, rival);
        assertEq(taskOf(taskId).milestone, 1);
        assertEq(taskOf(taskId).trialEnds, clock() + parameters().minReview);
        endTrial();
        deliver(taskId);
        accept(taskId);
        assertEq(taskOf(taskId).trialEnds, 0);
    }

    function test_fundingAfterTheClaimBeginsTheTrial() public {
        uint256 taskId = claimed();
        uint64 deadline = taskOf(taskId).deadline;
        registryAs(poster).fundTask(taskId, TOTAL / 2);
        assertState(taskId, State.CLAIMED);
        skip(1 days);
        registryAs(poster).fundTask(taskId, TOTAL / 2);
        assertState(taskId, State.ACTIVE);
        TaskView memory task = taskOf(taskId);
        assertEq(task.trialEnds, clock() + parameters().minReview);
        assertEq(task.deadline, deadline + 1 days + parameters().minReview, "and the day back that the funding took");
    }

    /// @dev A post that is due in minutes, funded in the last second: the worker has the time that it accepted.
    function test_fundingInTheLastSecondCostsTheWorkerNothing() public {
        ITaskRegistry.PostParams memory params = postParams();
        params.deadline = clock() + 10 minutes;
        uint256 taskId = registryAs(poster).postTask(params);
        claim(taskId, worker);
        skip(1 days);
        registryAs(poster).fundTask(taskId, TOTAL);
        endTrial();
        skip(10 minutes - 1);
        assertLe(clock(), taskOf(taskId).deadline, "in time");
        deliver(taskId);
    }

    function test_anUnfundedClaimMarksThePosterAlone() public {
        uint256 taskId = claimed();
        skip(1 days);
        vm.expectRevert();
        registry.resolveTimedOut(taskId);
        skip(1);
        registry.resolveTimedOut(taskId);
        assertState(taskId, State.CANCELLED);
        assertEq(reputation.reputationOf(poster).lapsed, 1);
        assertEq(reputation.reputationOf(worker).lastActive, 0, "the worker has no mark");
        assertNothingLeft(taskId);
        bytes memory refused = abi.encodeWithSelector(ITaskRegistry.WrongState.selector, taskId, State.CANCELLED);
        vm.expectRevert(refused);
        registryAs(poster).fundTask(taskId, TOTAL);
    }

    function test_nothingIsFundedAfterTheDay() public {
        uint256 taskId = claimed();
        uint64 end = taskOf(taskId).updatedAt + 1 days;
        vm.warp(end + 1);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.Expired.selector, end));
        registryAs(poster).fundTask(taskId, TOTAL);
    }

    function test_createdWorkHasNoTrial() public {
        uint256 taskId = created(Scope.OPEN);
        assertState(taskId, State.ACTIVE);
        assertEq(taskOf(taskId).trialEnds, 0);
        deliver(taskId);
    }

    // Dismissals

    function test_whoClaimsEverythingNeverGains() public {
        Wealth memory before = wealthOf(worker);
        uint256 taskId = onTrial();
        uint256 snapshot = vm.snapshotState();
        dismiss(taskId);
        assertState(taskId, State.POSTED);
        assertWon(worker, before, -A, 0, "sent away on trial");
        assertEq(reputation.reputationOf(poster).lastActive, 0, "no mark");
        assertEq(reputation.reputationOf(worker).lastActive, 0, "no mark");
        vm.revertToState(snapshot);
        endTrial();
        dismiss(taskId);
        skip(1 days + 1);
        registry.resolveTimedOut(taskId);
        assertState(taskId, State.POSTED);
        assertWon(worker, before, -A, 0, "sent away later");
        assertEq(reputation.reputationOf(poster).dismissed, 1, "the poster's mark");
        assertEq(reputation.reputationOf(worker).lastActive, 0, "none of the worker");
        vm.revertToState(snapshot);
        vm.warp(taskOf(taskId).deadline + 1 days + 1);
        registry.resolveTimedOut(taskId);
        assertWon(worker, before, -A, -bondUsdc(), "silent");
        assertEq(reputation.reputationOf(worker).left, 1);
    }

    function test_aDismissalLeavesADayForADelivery() public {
        uint256 taskId = active();
        Wealth memory before = wealthOf(worker);
        Wealth memory ofPoster = wealthOf(poster);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.DismissalNoticed(taskId, uint40(clock() + 1 days));
        dismiss(taskId);
        assertWon(poster, ofPoster, -A, 0, "the fee");
        uint40 dismissAt = taskOf(taskId).dismissAt;
        bytes32 digest = taskOf(taskId).settlementDigest;
        expectTooEarly(dismissAt);
        registryAs(poster).dismissWorker(taskId, digest);
        vm.warp(dismissAt);
        expectTooEarly(dismissAt);
        registry.resolveTimedOut(taskId);
        deliver(taskId);
        assertEq(taskOf(taskId).dismissAt, 0);
        skip(REVIEW + 1);
        registry.resolveTimedOut(taskId);
        assertWon(worker, before, D, 0, "paid");
    }

    function test_afterTheDayNothingIsDelivered() public {
        uint256 taskId = active();
        dismiss(taskId);
        uint40 dismissAt = taskOf(taskId).dismissAt;
        vm.warp(dismissAt + 1);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.Expired.selector, uint64(dismissAt)));
        registryAs(worker).submitProof(taskId, 0, PROOF, "");
        registry.resolveTimedOut(taskId);
        assertEq(lockedOf(worker), 0);
        assertEq(lockedOf(poster), parameters().bondUsdc);
    }

    /// @dev A deadline that ends before the day does comes first: then the worker is late by itself.
    function test_aDismissalDoesNotOutlastTheDeadline() public {
        uint256 taskId = active();
        uint64 end = taskOf(taskId).deadline + 1 days;
        vm.warp(end);
        dismiss(taskId);
        vm.warp(end + 1);
        registry.resolveTimedOut(taskId);
        assertState(taskId, State.CANCELLED);
        assertEq(reputation.reputationOf(poster).dismissed, 0);
        assertEq(reputation.reputationOf(worker).left, 1);
    }

    /// @dev In one block: who is sent away first is not there when the money comes, and its successor begins with a trial.
    function test_aDismissalAndAFundingInOneBlock() public {
        uint256 taskId = claimed();
        uint256 snapshot = vm.snapshotState();
        dismiss(taskId);
        registryAs(poster).fundTask(taskId, TOTAL);
        assertState(taskId, State.POSTED);
        claim(taskId, rival);
        assertState(taskId, State.ACTIVE);
        vm.revertToState(snapshot);
        registryAs(poster).fundTask(taskId, TOTAL);
        dismiss(taskId);
        assertState(taskId, State.POSTED);
        assertEq(lockedOf(worker), 0);
        assertEq(reputation.reputationOf(poster).lastActive, 0);
    }

    /// @dev Every order of two calls on trial: each leaves the bonds and the escrow as the state says.
    function test_everyOrderOfCallsOnTrial() public {
        for (uint256 order = 0; order < 36; ++order) {
            uint256 snapshot = vm.snapshotState();
            uint256 taskId = onTrial();
            _onTrialDo(taskId, order / 6);
            _onTrialDo(taskId, order % 6);
            TaskView memory task = taskOf(taskId);
            bool isOver = task.state >= State.COMPLETED;
            assertEq(lockedOf(poster), isOver ? 0 : parameters().bondUsdc, "the poster's bond");
            assertEq(
                lockedOf(worker),
                isOver || task.state == State.POSTED ? 0 : parameters().bondUsdc,
                "the worker's"
            );
            assertEq(escrow.heldOf(taskId), isOver ? 0 : TOTAL, "escrow");
            if (task.trialEnds != 0) assertTrue(task.state == State.ACTIVE, "only work in progress is on trial");
            vm.revertToState(snapshot);
        }
    }

    function _onTrialDo(uint256 taskId, uint256 call) private {
        bytes32 digest = taskOf(taskId).settlementDigest;
        bytes memory data = [
            abi.encodeCall(ITaskRegistry.startWork, (taskId, digest)),
            abi.encodeCall(ITaskRegistry.dismissWorker, (taskId, digest)),
            abi.encodeCall(ITaskRegistry.completeTask, (taskId, digest)),
            abi.encodeCall(ITaskRegistry.submitProof, (taskId, 0, PROOF, "")),
            abi.encodeCall(ITaskRegistry.leaveTask, (taskId, State.ACTIVE)),
            abi.encodeCall(ITaskRegistry.extendDeadline, (taskId, clock() + 20 days))
        ][call];
        vm.prank(call == 3 || call == 4 ? worker : poster);
        (bool done, ) = address(registry).call(data);
        done;
    }

    // Deadlines, leaving, milestones, the fee

    function test_anExtensionEndsAMonthAfterTheAcceptedDeadline() public {
        uint64 accepted = clock() + 10 days;
        uint256 taskId = active();
        registryAs(poster).extendDeadline(taskId, accepted + 30 days);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.BadTerms.selector, bytes32("deadline")));
        registryAs(poster).extendDeadline(taskId, accepted + 30 days + 1);
        leaveTask(taskId);
        registryAs(poster).extendDeadline(taskId, accepted + 60 days);
    }

    function test_leavingCostsLessThanSilence() public {
        uint256 taskId = active();
        uint256 snapshot = vm.snapshotState();
        Wealth memory before = wealthOf(worker);
        Wealth memory ofPoster = wealthOf(poster);
        leaveTask(taskId);
        assertWon(worker, before, -A, -bondUsdc() / 4, "left");
        assertWon(poster, ofPoster, 0, bondUsdc() / 4, "poster");
        assertEq(reputation.reputationOf(worker).left, 1);
        vm.revertToState(snapshot);
        vm.warp(taskOf(taskId).deadline + 1 days + 1);
        registry.resolveTimedOut(taskId);
        assertWon(worker, before, 0, -bondUsdc(), "silent");
    }

    function test_leavingEarlyCostsTheFee() public {
        for (uint256 way = 0; way < 2; ++way) {
            uint256 taskId = way == 0 ? claimed() : onTrial();
            Wealth memory before = wealthOf(worker);
            leaveTask(taskId);
            assertWon(worker, before, -A, 0, "left early");
            assertEq(reputation.reputationOf(worker).lastActive, 0, "no mark");
        }
    }

    function test_noMilestoneIsACrumbOrAGiant() public {
        ITaskRegistry.PostParams memory params = postParams();
        params.milestones = pair(TOTAL / 20 - 1, TOTAL - TOTAL / 20 + 1);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.BadMilestones.selector, bytes32("amount")));
        registryAs(poster).postTask(params);
        params.milestones = pair(TOTAL / 20, TOTAL - TOTAL / 20);
        registryAs(poster).postTask(params);
    }

    function test_theOwnerSetsTheFeeWithinBounds() public {
        vm.expectEmit(address(paymentGateway));
        emit IPaymentGateway.AccessFeeSet(FEE / 10);
        paymentGatewayAs(owner).setAccessFee(FEE / 10);
        uint256 before = tok.balanceOf(poster);
        posted();
        assertEq(before - tok.balanceOf(poster), FEE / 10 + TOTAL);
        paymentGatewayAs(owner).setAccessFee(FEE);
        vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.BadFee.selector, FEE + 1));
        paymentGatewayAs(owner).setAccessFee(FEE + 1);
        vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.BadFee.selector, FEE / 10 - 1));
        paymentGatewayAs(owner).setAccessFee(FEE / 10 - 1);
        expectNotAuthorized(stranger);
        paymentGatewayAs(stranger).setAccessFee(FEE);
        assertEq(paymentGateway.maxAccessFee(), FEE);
    }

    // Bonds

    /// @dev One account may be both sides of a bond: nothing is made and nothing lost.
    function test_aBondThatPaysItsOwnerMakesNothing() public {
        posted();
        uint96 balance = depositOf(poster);
        vm.prank(address(registry));
        deposits.slashBond(poster, poster, 10_000);
        assertEq(depositOf(poster), balance);
        assertEq(lockedOf(poster), 0);
    }

    /// @dev Dismissed, left or lost: the bond that stays locked is whole, and covered.
    function test_nothingIsTakenFromABondThatStaysLocked() public {
        uint256 taskId = active();
        uint96 spare = depositOf(poster) - ENTRY;
        depositsAs(poster).withdraw(spare, poster);
        leaveTask(taskId);
        (IDepositVault.Account memory account, , , ) = deposits.accountOf(poster);
        assertEq(account.locked, parameters().bondUsdc);
        assertGe(account.balance, account.locked, "covered");
        claim(taskId, rival);
        vm.warp(taskOf(taskId).deadline + 1 days + 1);
        registry.resolveTimedOut(taskId);
        assertNothingLeft(taskId);
    }

    // Vouched work

    function test_everyEndOfVouchedWork() public {
        for (uint256 way = 0; way < 8; ++way) {
            uint256 snapshot = vm.snapshotState();
            Wealth memory before = wealthOf(poster);
            (uint256 taskId, address newcomer) = vouched(noMilestones());
            assertEq(lockedOf(poster), 2 * parameters().bondUsdc);
            assertTrue(taskOf(taskId).vouched);
            _endVouched(taskId, newcomer, way, before);
            assertNothingLeft(taskId);
            (IDepositVault.Account memory account, , , ) = deposits.accountOf(newcomer);
            assertEq(account.locked + account.engagements, 0, "the newcomer has nothing at stake");
            vm.revertToState(snapshot);
        }
    }

    function _endVouched(uint256 taskId, address newcomer, uint256 way, Wealth memory before) private {
        int256 fees = -2 * A;
        if (way == 0) {
            leaveTask(taskId);
            assertState(taskId, State.POSTED);
            registryAs(poster).cancelTask(taskId);
            return assertWon(poster, before, fees, 0, "left");
        }
        if (way == 1) {
            vm.warp(taskOf(taskId).deadline + 1 days + 1);
            registry.resolveTimedOut(taskId);
            return assertWon(poster, before, fees, 0, "silent");
        }
        deliver(taskId);
        if (way == 2) {
            accept(taskId);
            assertEq(tok.balanceOf(newcomer), TOTAL);
            return assertWon(poster, before, fees - D, 0, "paid");
        }
        openDispute(taskId);
        if (way == 3) {
            concede(newcomer, taskId);
            return assertWon(poster, before, fees, 0, "gives in at once");
        }
        answerWithoutBond(taskId);
        if (way == 4) {
            skip(8 days);
            court.resolveTimedOut(taskId);
            return assertWon(poster, before, fees, 0, "the fallback is silent");
        }
        waiveHearing(taskId);
        if (way == 5) {
            rule(taskId, 0);
            return assertWon(poster, before, fees, -bondUsdc(), "junk");
        }
        if (way == 6) concede(poster, taskId);
        else rule(taskId, 10_000);
        assertWon(poster, before, fees - D - F, -bondUsdc(), "good work");
        assertEq(tok.balanceOf(newcomer), TOTAL);
    }

    /// @dev A newcomer that won with a bond of its own gets the collateral that a worker gets.
    function test_aVouchedWinnerGetsThePostersBond() public {
        (uint256 taskId, address newcomer) = vouched(noMilestones());
        deliver(taskId);
        openDispute(taskId);
        tok.transfer(newcomer, uint256(F));
        tokAs(newcomer).approve(address(paymentGateway), uint256(F));
        answerWithBond(taskId);
        agree(taskId, arbitrator);
        rule(taskId, 10_000);
        assertEq(depositOf(newcomer), parameters().bondUsdc);
        assertNothingLeft(taskId);
    }

    function test_vouchedWorkInMilestones() public {
        (uint256 taskId, address newcomer) = vouched(threeMilestones());
        for (uint256 index = 0; index < 3; ++index) {
            deliver(taskId);
            accept(taskId);
        }
        assertEq(tok.balanceOf(newcomer), TOTAL);
        assertNothingLeft(taskId);
    }

    function test_whatIsListedAgainIsOrdinary() public {
        (uint256 taskId, ) = vouched(noMilestones());
        leaveTask(taskId);
        assertEq(lockedOf(poster), parameters().bondUsdc);
        claim(taskId, rival);
        TaskView memory task = taskOf(taskId);
        assertFalse(task.vouched);
        assertEq(lockedOf(rival), parameters().bondUsdc);
        assertEq(task.trialEnds, clock() + parameters().minReview, "and the next worker is on trial");
        uint96[] memory none;
        TaskTerms memory terms = signedTerms(Scope.OPEN, none);
        terms.worker = rival;
        terms.deadline = task.deadline - parameters().minReview;
        terms.salt = bytes32((taskId << 32) | 1);
        terms.acceptBy = 0;
        assertEq(task.settlementDigest, registry.hashTerms(terms), "no signed digest is left");
        endTrial();
        deliver(taskId);
        accept(taskId);
        assertNothingLeft(taskId);
    }

    function test_onlyThePosterCreatesAndOnlyItsDepositVouches() public {
        uint96[] memory none;
        TaskTerms memory terms = vouchedTerms(none);
        bytes memory workerSig = signWith(workerKey, registry.hashTerms(terms));
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotPoster.selector, worker));
        registryAs(worker).createTask(terms, none, workerSig, "", 0);
        terms.vouched = false;
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.BadSignature.selector, worker));
        registryAs(poster).createTask(terms, none, workerSig, "", 0);
    }

    function test_aCreatedTaskThatIsNotFundedMarksThePoster() public {
        uint96[] memory none;
        TaskTerms memory terms = vouchedTerms(none);
        bytes memory workerSig = signWith(workerKey, registry.hashTerms(terms));
        uint256 taskId = registryAs(poster).createTask(terms, none, workerSig, "", 0);
        assertState(taskId, State.CLAIMED);
        skip(1 days + 1);
        registry.resolveTimedOut(taskId);
        assertEq(reputation.reputationOf(poster).lapsed, 1);
        assertNothingLeft(taskId);
    }

    // Instant work

    function instant(uint96 fundNow) internal returns (uint256 taskId) {
        ITaskRegistry.PostParams memory params = postParams();
        params.fundNow = fundNow;
        params.instant = true;
        taskId = registryAs(poster).postTask(params);
    }

    function test_anInstantTaskIsDoneInConsecutiveBlocks() public {
        ITaskRegistry.PostParams memory params = postParams();
        (params.fundNow, params.instant) = (TOTAL, true);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.TrialWaived(1);
        uint256 taskId = registryAs(poster).postTask(params);
        uint64 deadline = taskOf(taskId).deadline;
        skip(2);
        claim(taskId, worker);
        assertEq(taskOf(taskId).trialEnds, 0);
        assertTrue(taskOf(taskId).instant);
        assertEq(taskOf(taskId).deadline, deadline);
        skip(2);
        deliver(taskId);
        skip(2);
        accept(taskId);
        assertState(taskId, State.COMPLETED);
        assertNothingLeft(taskId);
    }

    function test_instantWorkCanBeFundedLaterAndListedAgain() public {
        uint256 taskId = instant(0);
        claim(taskId, worker);
        registryAs(poster).fundTask(taskId, TOTAL);
        assertState(taskId, State.ACTIVE);
        assertEq(taskOf(taskId).trialEnds, 0);
        Wealth memory before = wealthOf(worker);
        leaveTask(taskId);
        assertWon(worker, before, -A, -bondUsdc() / 4, "no trial to leave in");
        claim(taskId, rival);
        deliver(taskId);
        assertState(taskId, State.DELIVERED);
    }

    function test_noPostIsInstantUnlessChosen() public {
        assertFalse(taskOf(posted()).instant);
        assertFalse(taskOf(created(Scope.OPEN)).instant);
    }
}

contract EngagementsStandardTest is EngagementsTest {}

contract EngagementsMicroTest is OnMicro, EngagementsTest {}
