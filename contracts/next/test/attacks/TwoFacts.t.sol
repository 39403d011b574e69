// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./WealthTest.sol";
import {RoundsFeed} from "../mocks/Feeds.sol";

/// @notice Rules that look right until a second fact is tried beside the first.
abstract contract TwoFactsTest is WealthTest {
    RoundsFeed private _sequencer;

    function setUp() public virtual override {
        vm.warp(START - 30 days);
        _sequencer = new RoundsFeed();
        sequencerFeed = address(_sequencer);
        super.setUp();
    }

    /// @dev What was signed for a time is good until then, whether or not the chain stood still.
    function test_noOutageMovesWhatWasSigned() public {
        uint256 taskId = active();
        uint64 validUntil = clock() + 2 hours;
        bytes32 digest = registry.hashSettlement(taskId, 5_000, validUntil);
        TaskTerms memory terms = signedTerms(Scope.OPEN, noMilestones());
        terms.acceptBy = validUntil;
        bytes memory termsSig = signWith(workerKey, registry.hashTerms(terms));
        bytes memory settlementSig = signWith(workerKey, digest);
        skip(1 hours);
        _sequencer.set(true);
        skip(1 hours + 1);
        _sequencer.set(false);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.Expired.selector, validUntil));
        registryAs(poster).createTask(terms, noMilestones(), termsSig, "", 0);
        expectTooLate(validUntil);
        courtAs(poster).mutualSettle(taskId, 5_000, validUntil, "", settlementSig);
    }

    /// @dev A leaked key in force judges what is claimed until its successor's day: nothing, while entries stay closed.
    function test_entriesStayClosedUntilTheSuccessorsDay() public {
        uint256 taskId = posted();
        bytes32 digest = registry.openDigest(taskId, worker);
        courtAs(owner).scheduleFallback(stranger);
        courtAs(stranger).acceptFallback();
        for (uint256 round = 0; round < 3; ++round) {
            registryAs(owner).setEntriesPaused(true);
            skip(14 days);
            vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.EntriesArePaused.selector, address(registry)));
            registryAs(worker).claimTask(taskId, digest);
        }
        assertEq(court.fallbackArbitrator(), stranger, "whoever claims from here on has the successor");
    }

    /// @dev Every end of a claimed or running task that an outage covers waits for an hour after it, for both sides.
    function test_everyClockOfATaskWaitsForTheChain() public {
        uint256[4] memory tasks = [postedUnfunded(), claimed(), active(), active()];
        dismiss(tasks[3]);
        uint64[4] memory ends = [
            taskOf(tasks[0]).deadline,
            taskOf(tasks[1]).updatedAt + 1 days,
            taskOf(tasks[2]).deadline + 1 days,
            uint64(taskOf(tasks[3]).dismissAt)
        ];
        for (uint256 index = 0; index < 4; ++index) {
            uint256 snapshot = vm.snapshotState();
            vm.warp(ends[index] - 1 hours);
            _sequencer.set(true);
            skip(5 hours);
            _sequencer.set(false);
            skip(1 hours);
            expectTooEarly(ends[index]);
            registry.resolveTimedOut(tasks[index]);
            uint256 inTheHour = vm.snapshotState();
            if (index == 0) registryAs(poster).extendDeadline(tasks[0], clock() + 1 days);
            else if (index == 1) registryAs(poster).fundTask(tasks[1], TOTAL);
            else deliver(tasks[index]);
            vm.revertToState(inTheHour);
            skip(1);
            registry.resolveTimedOut(tasks[index]);
            vm.revertToState(snapshot);
        }
    }

    /// @dev An outage that covers the trial and the whole time for a delivery leaves the worker the hour after it.
    function test_noOutageTakesTheTimeForADelivery() public {
        ITaskRegistry.PostParams memory params = postParams();
        (params.deadline, params.fundNow) = (clock() + 1 hours, TOTAL);
        uint256 taskId = registryAs(poster).postTask(params);
        claim(taskId, worker);
        skip(1);
        _sequencer.set(true);
        skip(5 days);
        _sequencer.set(false);
        skip(1 hours);
        assertEq(taskOf(taskId).trialEnds, 0);
        deliver(taskId);
        skip(REVIEW + 1);
        registry.resolveTimedOut(taskId);
        assertState(taskId, State.COMPLETED);
    }

    /// @dev Nor is work claimed in that hour whose time was over before: it could not be delivered any more.
    function test_noOutageGivesWorkWhoseTimeIsOver() public {
        uint256 taskId = posted();
        uint64 deadline = taskOf(taskId).deadline;
        vm.warp(deadline - 1 hours);
        _sequencer.set(true);
        skip(5 days);
        _sequencer.set(false);
        bytes32 digest = registry.openDigest(taskId, worker);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.Expired.selector, deadline));
        registryAs(worker).claimTask(taskId, digest);
    }

    /// @dev Every order of three calls on trial and in the day of a dismissal: bonds and escrow are as the state says.
    function test_everyOrderOfThreeCalls() public {
        uint256 begin = vm.snapshotState();
        for (uint256 order = 0; order < 343; ++order) {
            uint256 taskId = onTrial();
            _do(taskId, order / 49);
            _do(taskId, (order / 7) % 7);
            _do(taskId, order % 7);
            TaskView memory task = taskOf(taskId);
            bool isOver = task.state >= State.COMPLETED;
            uint96 bond = parameters().bondUsdc;
            assertEq(lockedOf(poster), isOver ? 0 : bond, "the poster's bond");
            assertEq(lockedOf(worker), isOver || task.state == State.POSTED ? 0 : bond, "the worker's bond");
            assertEq(escrow.heldOf(taskId), isOver ? 0 : TOTAL, "escrow");
            if (task.trialEnds != 0) assertTrue(task.state == State.ACTIVE && task.dismissAt == 0, "trial");
            vm.revertToState(begin);
            begin = vm.snapshotState();
        }
    }

    function _do(uint256 taskId, uint256 call) private {
        TaskView memory task = taskOf(taskId);
        bytes[7] memory calls = [
            abi.encodeCall(ITaskRegistry.startWork, (taskId, task.settlementDigest)),
            abi.encodeCall(ITaskRegistry.dismissWorker, (taskId, task.settlementDigest)),
            abi.encodeCall(ITaskRegistry.completeTask, (taskId, task.settlementDigest)),
            abi.encodeCall(ITaskRegistry.submitProof, (taskId, 0, PROOF, "")),
            abi.encodeCall(ITaskRegistry.leaveTask, (taskId, task.state)),
            abi.encodeCall(ITaskRegistry.resolveTimedOut, (taskId)),
            ""
        ];
        if (call == 6) return skip(1 days + 1);
        vm.prank(call == 3 || call == 4 ? worker : poster);
        (bool done, ) = address(registry).call(calls[call]);
        done;
    }
    /// @dev A day belongs to whoever was in force when it began.
    function test_aTermThatBeginsAtNoonJudgesFromTheNextDayOn() public {
        vm.warp((uint256(START) / 1 days) * 1 days + 12 hours);
        courtAs(owner).scheduleFallback(stranger);
        courtAs(stranger).acceptFallback();
        uint16 day = uint16(vm.getBlockTimestamp() / 1 days) + 30;
        assertEq(court.fallbackOn(day), fallbackArbitrator, "the day in which it begins");
        assertEq(court.fallbackOn(day + 1), stranger, "the next day");
    }

    /// @dev As the ruling would have been: the judge has its bond of collateral, whoever gives in.
    function test_aConcessionPaysTheJudge() public {
        for (uint256 way = 0; way < 4; ++way) {
            uint256 snapshot = vm.snapshotState();
            uint256 taskId = way < 2 ? unbonded() : escalated();
            Wealth memory judge = wealthOf(fallbackArbitrator);
            Wealth memory ofPoster = wealthOf(poster);
            Wealth memory ofWorker = wealthOf(worker);
            bool byPoster = way % 2 == 0;
            concede(byPoster ? poster : worker, taskId);
            assertWon(fallbackArbitrator, judge, way < 2 ? int256(0) : F, way < 2 ? bondUsdc() : int256(0), "judge");
            int256 loss = -bondUsdc();
            int256 gain = way < 2 ? int256(0) : bondUsdc();
            int256 worth = way < 2 ? int256(0) : F;
            if (byPoster) {
                assertWon(poster, ofPoster, 0, loss, "poster");
                assertWon(worker, ofWorker, D + worth, gain, "worker");
            } else {
                assertWon(poster, ofPoster, D + F, gain, "poster");
                assertWon(worker, ofWorker, 0, loss, "worker");
            }
            vm.revertToState(snapshot);
        }
    }

    /// @dev The day of a dismissal may end after the deadline: it comes first up to the end of the grace.
    function test_aDismissalThatEndsInTheGraceFreesTheBond() public {
        uint256 taskId = active();
        vm.warp(taskOf(taskId).deadline - 12 hours);
        dismiss(taskId);
        skip(1 days + 1);
        registry.resolveTimedOut(taskId);
        assertState(taskId, State.CANCELLED);
        assertEq(reputation.reputationOf(poster).dismissed, 1);
        assertEq(reputation.reputationOf(worker).lastActive, 0, "no mark");
        assertNothingLeft(taskId);
    }

    /// @dev The poster's turn is added to the deadline as it is, with the trial in it.
    function test_aTurnOfThePosterMovesTheDeadlineAsItIs() public {
        uint256 taskId = active();
        uint64 deadline = taskOf(taskId).deadline;
        deliver(taskId);
        skip(1 hours);
        deliver(taskId);
        assertEq(taskOf(taskId).deadline, deadline + 1 hours);
    }

    /// @dev The bounds of the fee are those of the launch, not of the fee before.
    function test_theFeeDoesNotFallStepByStep() public {
        paymentGatewayAs(owner).setAccessFee(FEE / 10);
        vm.expectRevert(abi.encodeWithSelector(IPaymentGateway.BadFee.selector, FEE / 100));
        paymentGatewayAs(owner).setAccessFee(FEE / 100);
    }
}

contract TwoFactsStandardTest is TwoFactsTest {}

contract TwoFactsMicroTest is OnMicro, TwoFactsTest {}
