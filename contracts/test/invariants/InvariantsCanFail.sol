// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./MarketInvariants.sol";
import {Operation} from "./Operation.sol";

/// @notice Proves that no invariant holds by accident: each breaks when money is really taken, when a
/// contract gives a wrong figure, or when a call does what it must not. Before that, all of them hold.
abstract contract InvariantsCanFail is MarketInvariants {
    function test_1_escrowCannotLoseATokenOrMiscount() public {
        runAWhile();
        lie(address(escrow), abi.encodeCall(escrow.held, (1)), escrow.held(1) + 1);
        assertBreaks(invariant_escrowHoldsExactlyWhatItsTasksHold, "held is what the ledgers say");
        take(address(escrow));
        assertBreaks(invariant_escrowHoldsExactlyWhatItsTasksHold, "escrow has what it holds");
    }

    function test_2_noTaskCanPayOutOrGetTooMuchOrMiscount() public {
        TaskView memory task = runToTask(State.ACTIVE);
        ledgers[task.id].released += task.totalAmount;
        ledgers[task.id].fees += 1;
        assertBreaks(invariant_noTaskPaysOutMoreThanItGotOrGetsMoreThanItPays, "at most what it got");
        delete ledgers[task.id];
        assertBreaks(invariant_noTaskPaysOutMoreThanItGotOrGetsMoreThanItPays, "funded as announced");
        ledgers[task.id].funded = task.funded;
        ledgers[task.id].released = task.released;
        task.funded = task.totalAmount + 1;
        lieAbout(task);
        assertBreaks(invariant_noTaskPaysOutMoreThanItGotOrGetsMoreThanItPays, "at most its total");
        task.funded = task.totalAmount;
        task.released += 1;
        lieAbout(task);
        assertBreaks(invariant_noTaskPaysOutMoreThanItGotOrGetsMoreThanItPays, "released as announced");
    }

    function test_3_noEndedTaskCanKeepMoney() public {
        TaskView memory task = runToTask(State.CANCELLED);
        lie(address(escrow), abi.encodeCall(escrow.held, (task.id)), 1);
        assertBreaks(invariant_anEndedTaskHoldsNothing, "an ended task holds nothing");
    }

    function test_4_noTaskCanMoveBackwardAfterItsEndOrByItself() public {
        TaskView memory task = runToTask(State.ACTIVE);
        task.state = State.DELIVERED;
        lieAbout(task);
        assertBreaks(invariant_tasksOnlyMoveForwardAndOnlyWhenCalled, "no task moves by itself");
        task.state = State.CLAIMED;
        change(task);
        assertBreaks(invariant_tasksOnlyMoveForwardAndOnlyWhenCalled, "backward or after its end");
    }

    function test_5_noWorkerCanBeWithoutADigestOrGetAnother() public {
        TaskView memory task = runToTask(State.ACTIVE);
        task.settlementDigest = keccak256("other terms");
        lieAbout(task);
        assertBreaks(
            invariant_aTaskHasADigestWhileItHasAWorkerAndTheOneItsWorkerAccepted,
            "the digest is the accepted one"
        );
    }

    function test_6_depositsCannotLoseATokenOrMiscount() public {
        TaskView memory task = runToTask(State.ACTIVE);
        IDepositVault.Account memory account = accountOf(task.poster);
        account.engagements += 1;
        lieAboutDeposit(task.poster, account);
        assertBreaks(invariant_depositsAndBondsAddUp, "each live side of a task is an engagement");
        lie(address(deposits), abi.encodeCall(deposits.totalHeld, ()), deposits.totalHeld() + 1);
        assertBreaks(invariant_depositsAndBondsAddUp, "totalHeld is what the agents have");
        usdcAs(address(deposits)).transfer(stranger, 1);
        assertBreaks(invariant_depositsAndBondsAddUp, "the vault has what the agents have");
    }

    function test_7_theCourtCannotLoseATokenOrMiscount() public {
        TaskView memory task = runToTask(State.DISPUTED);
        IDisputeCourt.Dispute memory dispute = court.disputeOf(task.id);
        dispute.phase = Phase.CLOSED;
        lieInCourt(task.id, dispute);
        assertBreaks(invariant_theCourtHoldsBondsAndNothingElse, "open while its task is disputed");
        lie(address(court), abi.encodeCall(court.totalBonded, ()), court.totalBonded() + 1);
        assertBreaks(invariant_theCourtHoldsBondsAndNothingElse, "totalBonded is what the arbitrators have");
        take(address(court));
        assertBreaks(invariant_theCourtHoldsBondsAndNothingElse, "the court has the bonds");
    }

    function test_8_stakingCannotLoseATokenOrMiscount() public {
        runAWhile();
        lie(address(staking), abi.encodeCall(staking.totalStaked, ()), uint256(staking.totalStaked()) + 1);
        assertBreaks(invariant_stakingCoversStakeReserveAndRewards, "totalStaked is what the stakers have");
        take(address(staking));
        assertBreaks(invariant_stakingCoversStakeReserveAndRewards, "stake, reserve and rewards");
        tokAs(stranger).transfer(address(staking), 1);
        bytes memory overview = abi.encode(true, 0, 1_000_000e18 + 1, 0, true, 0);
        vm.mockCall(address(staking), abi.encodeCall(staking.overview, ()), overview);
        assertBreaks(invariant_stakingCoversStakeReserveAndRewards, "credits stay below their cap");
    }

    function test_9_theGatewayCannotLoseATokenOrMiscount() public {
        runAWhile();
        postTask(poster);
        lie(address(gateway), abi.encodeCall(gateway.pendingFees, ()), gateway.pendingFees() + 1);
        assertBreaks(invariant_theGatewayHoldsOnlyUnsplitFees, "pendingFees says so");
        take(address(gateway));
        assertBreaks(invariant_theGatewayHoldsOnlyUnsplitFees, "the fees that are not split yet");
    }

    function test_10_noTokenCanBeBurntOrSentElsewhere() public {
        runAWhile();
        tokAs(poster).transfer(makeAddr("nobody"), 1);
        assertBreaks(invariant_tokIsBurntBySplitsAloneAndNeverLost, "every token is where it should be");
        tokAs(poster).burn(1);
        assertBreaks(invariant_tokIsBurntBySplitsAloneAndNeverLost, "supply and burnt");
    }

    function test_11_noCreditCanComeFromNowhere() public {
        runAWhile();
        IStakingVault.Staker memory staker = staking.stakerOf(poster);
        (, , uint256 issued, , , ) = staking.overview();
        staker.credits = uint96(issued + 1);
        lieAboutStake(poster, staker);
        assertBreaks(invariant_creditsHeldAndUsedWereIssued, "credits held and used were issued");
    }

    function test_12_noRewardCanComeFromNowhere() public {
        runAWhile();
        IStakingVault.Staker memory staker = staking.stakerOf(poster);
        staker.rewards = uint96(tok.balanceOf(address(staking)));
        lieAboutStake(poster, staker);
        assertBreaks(invariant_rewardsEarnedAreAllocated, "rewards earned are allocated");
    }

    function test_13_noCaseCanBeMiscounted() public {
        TaskView memory task = runToTask(State.DISPUTED);
        IDisputeCourt.Dispute memory dispute = court.disputeOf(task.id);
        bool isAssigned = dispute.phase == Phase.ASSIGNED;
        dispute.phase = isAssigned ? Phase.ESCALATED : Phase.ASSIGNED;
        if (!isAssigned) dispute.judge = arbitrator;
        lieInCourt(task.id, dispute);
        assertBreaks(invariant_openCasesAreTheAssignedDisputes, "open cases are the assigned ones");
    }

    function test_14_noBystanderCanLoseTokens() public {
        perform(actAs(address(gateway), address(tok), abi.encodeCall(tok.transferFrom, (poster, address(gateway), 1))));
        assertBreaks(invariant_callsMoveNoBystandersMoney, "money moved strangely");
    }

    function test_15_noTaskCanOutliveTheSilence() public {
        TaskView memory task = runToTask(State.ACTIVE);
        bytes memory timeOut = abi.encodeCall(registry.resolveTimedOut, (task.id));
        vm.mockCallRevert(address(registry), timeOut, "refused");
        steps = 0;
        assertBreaks(invariant_silenceEndsEveryTaskWithin400Days, "every task has ended");
    }

    function test_aCallThatSucceedsAgainstTheRulesIsNoticed() public {
        Act memory act = actAs(poster, address(gateway), abi.encodeCall(gateway.flush, ()));
        act.allowed = false;
        perform(act);
        assertBreaks(invariant_callsSucceedExactlyWhenTheRulesAllow, "done against the rules");
    }

    function test_aCallThatIsRefusedAgainstTheRulesIsNoticed() public {
        perform(actAs(poster, address(registry), abi.encodeCall(registry.cancelTask, (1))));
        assertBreaks(invariant_callsSucceedExactlyWhenTheRulesAllow, "refused against the rules");
    }

    /// @dev As if the time-out of a delivery paid the worker instead of the poster.
    function test_noRefundCanGoToTheWorker() public {
        TaskView memory task = runToTask(State.ACTIVE);
        Act memory act = newAct(Operation.TIME_OUT, task, address(escrow));
        (act.target, act.data) = (address(tok), abi.encodeCall(tok.transfer, (task.worker, escrow.held(task.id))));
        perform(act);
        assertBreaks(invariant_everyCallPaysWhoTheRulesSay, "payouts of operation");
    }

    /// @dev Public, so that an act can do it as if the registry's state had changed.
    function lieAbout(TaskView memory task) public {
        vm.mockCall(address(registry), abi.encodeCall(registry.getTask, (task.id)), abi.encode(task));
    }

    function lieAboutDeposit(address agent, IDepositVault.Account memory account) private {
        bytes memory answer = abi.encode(account, false, false, false);
        vm.mockCall(address(deposits), abi.encodeCall(deposits.accountOf, (agent)), answer);
    }

    function lieAboutStake(address account, IStakingVault.Staker memory staker) private {
        vm.mockCall(address(staking), abi.encodeCall(staking.stakerOf, (account)), abi.encode(staker));
    }

    function lieInCourt(uint256 taskId, IDisputeCourt.Dispute memory dispute) private {
        vm.mockCall(address(court), abi.encodeCall(court.disputeOf, (taskId)), abi.encode(dispute));
    }

    function lie(address target, bytes memory question, uint256 answer) private {
        vm.mockCall(target, question, abi.encode(answer));
    }

    function take(address vault) private {
        tokAs(vault).transfer(stranger, 1);
    }

    function actAs(address caller, address target, bytes memory data) private pure returns (Act memory act) {
        act = newAct(Operation.DONATE, caller);
        (act.target, act.data) = (target, data);
    }

    /// @dev An act after which the task looks like this.
    function change(TaskView memory task) private {
        Act memory act = newAct(Operation.TIME_OUT, registry.getTask(task.id), stranger);
        (act.target, act.data) = (address(this), abi.encodeCall(this.lieAbout, (task)));
        perform(act);
    }

    function runAWhile() private {
        for (uint256 index = 1; index <= 60; ++index) this.step(index);
    }

    /// @dev Goes on until some task is in this state.
    function runToTask(State wanted) private returns (TaskView memory) {
        runAWhile();
        for (uint256 index = 61; index < 1_000; ++index) {
            for (uint256 taskId = 1; taskId <= registry.taskCount(); ++taskId) {
                if (stateOf(taskId) == wanted) return registry.getTask(taskId);
            }
            this.step(index);
        }
        revert("no task came to the wanted state");
    }

    /// @dev Breaks now, for this reason; and holds again once the lies are over, unless money is really gone.
    function assertBreaks(function() internal invariant_, string memory reason) private {
        checked = invariant_;
        try this.runChecked() {
            fail(string.concat("held although broken: ", reason));
        } catch (bytes memory answer) {
            assertTrue(contains(answer, bytes(reason)), string.concat("broke for another reason than: ", reason));
        }
        vm.clearMockedCalls();
    }

    function contains(bytes memory text, bytes memory part) private pure returns (bool) {
        for (uint256 start = 0; start + part.length <= text.length; ++start) {
            uint256 length = 0;
            while (length < part.length && text[start + length] == part[length]) ++length;
            if (length == part.length) return true;
        }
        return false;
    }
}
