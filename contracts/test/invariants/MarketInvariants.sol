// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./Handler.sol";

/// @notice What holds on a market whatever anybody does, in the order of the design's list.
/// @dev A vault holds what it owes and whatever was given to it uncalled for; since gifts are counted, every line
/// about a balance is an equation. Number 16, that logs rebuild the storage, is proven by the replay in TypeScript.
abstract contract MarketInvariants is Handler {
    /// @dev Trying liveness costs as much as many steps.
    uint256 private constant LIVENESS_EVERY = 10;

    function() internal internal checked;

    /// @dev The runner sees one invariant, because it repeats all runs for each invariant that it sees: sixteen times the
    /// steps, to look at each state with one of them. Like this, every step of every run is checked by all.
    function invariant_allHold() public {
        uint256 timeBefore = time();
        check(invariant_escrowHoldsExactlyWhatItsTasksHold);
        check(invariant_noTaskPaysOutMoreThanItGotOrGetsMoreThanItPays);
        check(invariant_anEndedTaskHoldsNothing);
        check(invariant_tasksOnlyMoveForwardAndOnlyWhenCalled);
        check(invariant_aTaskHasADigestWhileItHasAWorkerAndTheOneItsWorkerAccepted);
        check(invariant_depositsAndBondsAddUp);
        check(invariant_theCourtHoldsBondsAndNothingElse);
        check(invariant_stakingCoversStakeReserveAndRewards);
        check(invariant_theGatewayHoldsOnlyUnsplitFees);
        check(invariant_tokIsBurntBySplitsAloneAndNeverLost);
        check(invariant_creditsHeldAndUsedWereIssued);
        check(invariant_rewardsEarnedAreAllocated);
        check(invariant_openCasesAreTheAssignedDisputes);
        check(invariant_callsMoveNoBystandersMoney);
        check(invariant_silenceEndsEveryTaskWithin400Days);
        check(invariant_callsSucceedExactlyWhenTheRulesAllow);
        check(invariant_everyCallPaysWhoTheRulesSay);
        assertEq(time(), timeBefore, "looking ahead leaves no trace");
    }

    /// @dev By a call from outside, so that the memory of each check is given back.
    function check(function() internal invariant_) private {
        checked = invariant_;
        this.runChecked();
    }

    function runChecked() external {
        checked();
    }

    // 1
    function invariant_escrowHoldsExactlyWhatItsTasksHold() internal view {
        uint256 held;
        for (uint256 taskId = 1; taskId <= registry.taskCount(); ++taskId) {
            TaskView memory task = registry.getTask(taskId);
            held += task.funded - task.released - task.refunded - task.fees;
        }
        assertEq(heldInAll(), held, "held is what the ledgers say");
        assertEq(tok.balanceOf(address(escrow)), held + donatedTok[address(escrow)], "escrow has what it holds");
    }

    // 2
    function invariant_noTaskPaysOutMoreThanItGotOrGetsMoreThanItPays() internal view {
        for (uint256 taskId = 1; taskId <= registry.taskCount(); ++taskId) {
            TaskView memory task = registry.getTask(taskId);
            Ledger memory announced = ledgers[taskId];
            assertLe(announced.released + announced.refunded + announced.fees, task.funded, "at most what it got");
            assertLe(task.funded, task.totalAmount, "at most its total");
            assertEq(task.funded, announced.funded, "funded as announced");
            assertEq(task.released, announced.released, "released as announced");
            assertEq(task.refunded, announced.refunded, "refunded as announced");
            assertEq(task.fees, announced.fees, "fees as announced");
        }
    }

    // 3
    function invariant_anEndedTaskHoldsNothing() internal view {
        for (uint256 taskId = 1; taskId <= registry.taskCount(); ++taskId) {
            if (isTerminal(stateOf(taskId))) assertEq(escrow.held(taskId), 0, "an ended task holds nothing");
        }
    }

    // 4
    function invariant_tasksOnlyMoveForwardAndOnlyWhenCalled() internal view {
        assertEq(backwardMoves, 0, "no task moves backward or after its end");
        for (uint256 taskId = 1; taskId <= registry.taskCount(); ++taskId) {
            assertEq(orderKeyOf(registry.getTask(taskId)), orderKeys[taskId], "no task moves by itself");
        }
    }

    // 5
    function invariant_aTaskHasADigestWhileItHasAWorkerAndTheOneItsWorkerAccepted() internal view {
        for (uint256 taskId = 1; taskId <= registry.taskCount(); ++taskId) {
            TaskView memory task = registry.getTask(taskId);
            assertEq(task.worker == address(0), task.settlementDigest == 0, "a worker stands for a digest");
            assertEq(task.settlementDigest, agreedDigests[taskId], "the digest is the accepted one");
        }
    }

    // 6
    function invariant_depositsAndBondsAddUp() internal view {
        TaskView[] memory live = readLiveTasks();
        uint256 total;
        for (uint256 index = 0; index < people.length; ++index) {
            IDepositVault.Account memory account = accountOf(people[index]);
            total += account.balance;
            assertEq(account.engagements, sidesOf(people[index], live), "each live side of a task is an engagement");
            assertEq(
                account.locked,
                uint256(account.engagements) * parameters().bondUsdc,
                "each engagement locks one bond"
            );
            assertLe(account.locked, account.balance, "locked bonds are covered");
        }
        assertEq(deposits.totalHeld(), total, "totalHeld is what the agents have");
        uint256 balance = usdc.balanceOf(address(deposits));
        assertEq(balance, total + donatedUsdc[address(deposits)], "the vault has what the agents have");
    }

    // 7
    function invariant_theCourtHoldsBondsAndNothingElse() internal view {
        (, IDisputeCourt.Arbitrator[] memory records, ) = court.arbitrators(0, type(uint256).max);
        uint256 bonded;
        for (uint256 index = 0; index < records.length; ++index) bonded += records[index].bond;
        uint256 disputed;
        for (uint256 taskId = 1; taskId <= registry.taskCount(); ++taskId) {
            IDisputeCourt.Dispute memory dispute = court.disputeOf(taskId);
            bool isOpen = dispute.phase != Phase.NONE && dispute.phase != Phase.CLOSED;
            assertEq(isOpen, stateOf(taskId) == State.DISPUTED, "a case is open while its task is disputed");
            if (!isOpen) continue;
            if (dispute.posterPayer != address(0)) disputed += dispute.bond;
            if (dispute.workerPayer != address(0)) disputed += dispute.bond;
        }
        assertEq(court.totalBonded(), bonded, "totalBonded is what the arbitrators have");
        uint256 balance = tok.balanceOf(address(court));
        assertEq(balance, bonded + disputed + donatedTok[address(court)], "the court has the bonds");
    }

    // 8
    function invariant_stakingCoversStakeReserveAndRewards() internal view {
        uint256 staked;
        for (uint256 index = 0; index < people.length; ++index) staked += staking.stakerOf(people[index]).staked;
        assertEq(staking.totalStaked(), staked, "totalStaked is what the stakers have");
        uint256 owed = staked + staking.rewardReserve() + staking.rewardsAllocated();
        uint256 balance = tok.balanceOf(address(staking));
        assertEq(balance, owed + donatedTok[address(staking)], "the vault has stake, reserve and rewards");
        (, , uint256 issued, , , ) = staking.overview();
        assertLe(issued, 1_000_000e18, "credits stay below their cap");
    }

    // 9
    function invariant_theGatewayHoldsOnlyUnsplitFees() internal view {
        uint256 pending = feesTaken + donatedTok[address(gateway)] - feesSplit;
        assertEq(tok.balanceOf(address(gateway)), pending, "the gateway has the fees that are not split yet");
        assertEq(gateway.pendingFees(), pending, "pendingFees says so");
    }

    // 10
    function invariant_tokIsBurntBySplitsAloneAndNeverLost() internal view {
        assertEq(tok.totalSupply() + burned, 1_000_000_000e18, "supply and burnt make the initial supply");
        uint256 known = donatedTok[address(registry)] + donatedTok[address(deposits)];
        known += tok.balanceOf(address(escrow)) + tok.balanceOf(address(court));
        known += tok.balanceOf(address(staking)) + tok.balanceOf(address(gateway));
        for (uint256 index = 0; index < people.length; ++index) known += tok.balanceOf(people[index]);
        assertEq(tok.totalSupply(), known, "every token is where it should be");
    }

    // 11
    function invariant_creditsHeldAndUsedWereIssued() internal view {
        uint256 credits = creditsConsumed;
        for (uint256 index = 0; index < people.length; ++index) credits += staking.stakerOf(people[index]).credits;
        (, , uint256 issued, , , ) = staking.overview();
        assertLe(credits, issued, "credits held and used were issued");
    }

    // 12
    function invariant_rewardsEarnedAreAllocated() internal view {
        uint256 earned;
        for (uint256 index = 0; index < people.length; ++index) earned += staking.stakerOf(people[index]).rewards;
        (, , , , , uint256 reserve) = staking.overview();
        uint256 dripped = staking.rewardReserve() - reserve;
        assertLe(earned, staking.rewardsAllocated() + dripped, "rewards earned are allocated");
    }

    // 13
    function invariant_openCasesAreTheAssignedDisputes() internal view {
        (address[] memory accounts, IDisputeCourt.Arbitrator[] memory records, ) = court.arbitrators(
            0,
            type(uint256).max
        );
        IDisputeCourt.Dispute[] memory disputes = new IDisputeCourt.Dispute[](registry.taskCount());
        for (uint256 index = 0; index < disputes.length; ++index) disputes[index] = court.disputeOf(index + 1);
        for (uint256 judge = 0; judge < accounts.length; ++judge) {
            uint256 cases;
            for (uint256 index = 0; index < disputes.length; ++index) {
                bool isAssigned = disputes[index].phase == Phase.ASSIGNED;
                if (isAssigned && disputes[index].judge == accounts[judge]) ++cases;
            }
            assertEq(records[judge].openCases, cases, "open cases are the assigned ones");
        }
    }

    // 14
    function invariant_callsMoveNoBystandersMoney() internal view {
        assertEq(strangeMoves, 0, string.concat("money moved strangely: ", vm.toString(lastStrangelyMoved)));
    }

    // 15
    function invariant_silenceEndsEveryTaskWithin400Days() internal {
        if (steps % LIVENESS_EVERY != 0) return;
        uint256 snapshotId = vm.snapshotState();
        crankAfter(31 days);
        crankAfter(8 days);
        crankAfter(361 days);
        for (uint256 taskId = 1; taskId <= registry.taskCount(); ++taskId) {
            assertTrue(isTerminal(stateOf(taskId)), "every task has ended");
        }
        assertEq(heldInAll(), 0, "escrow holds nothing");
        uint256 balance = tok.balanceOf(address(court)) - donatedTok[address(court)];
        assertEq(balance, court.totalBonded(), "the court holds arbitrators' bonds alone");
        for (uint256 index = 0; index < people.length; ++index) assertDepositIsFree(people[index]);
        vm.revertToState(snapshotId);
    }

    /// @dev Beyond the list: the contracts do what the rules allow, and nothing else.
    function invariant_callsSucceedExactlyWhenTheRulesAllow() internal view {
        assertEq(surprises, 0, lastSurprise);
    }

    function invariant_everyCallPaysWhoTheRulesSay() internal view {
        assertEq(wrongPayouts, 0, lastWrongPayout);
        assertEq(wrongMarks, 0, lastWrongMark);
    }

    /// @dev A stranger calls what time allows, and nobody else does anything. Three times are enough: a review
    /// and the time to answer end within 30 days, a dispute 8 days after its escalation, whatever is left a day after its
    /// deadline.
    function crankAfter(uint256 wait) private {
        skip(wait);
        for (uint256 index = 0; index < liveTasks.length; ++index) crank(liveTasks[index]);
    }

    /// @dev What is not due yet is refused, and tried again at the next time.
    function crank(uint256 taskId) private {
        Phase phase = court.disputeOf(taskId).phase;
        vm.prank(stranger);
        if (phase == Phase.PROPOSING || phase == Phase.ASSIGNED) {
            try court.escalate(taskId) {} catch {}
        } else if (phase == Phase.ANSWERING || phase == Phase.ESCALATED) {
            try court.resolveTimedOut(taskId) {} catch {}
        } else {
            try registry.resolveTimedOut(taskId) {} catch {}
        }
    }

    function assertDepositIsFree(address agent) private {
        IDepositVault.Account memory account = accountOf(agent);
        assertEq(account.engagements, 0, "nobody is engaged");
        if (account.balance == 0) return;
        uint256 before = usdc.balanceOf(agent);
        depositsAs(agent).withdraw(account.balance, agent);
        assertEq(usdc.balanceOf(agent), before + account.balance, "the whole deposit comes back");
    }

    function readLiveTasks() private view returns (TaskView[] memory live) {
        live = new TaskView[](liveTasks.length);
        for (uint256 index = 0; index < live.length; ++index) live[index] = registry.getTask(liveTasks[index]);
    }

    function sidesOf(address agent, TaskView[] memory tasks) private pure returns (uint256 sides) {
        for (uint256 index = 0; index < tasks.length; ++index) {
            if (tasks[index].poster == agent || tasks[index].worker == agent) ++sides;
        }
    }
}
