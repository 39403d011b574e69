// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./MarketInvariants.sol";
import {Ending, Operation} from "./Operation.sol";

/// @notice Proves that random runs get everywhere: one long run with fixed seeds takes every way a task can end and
/// every operation often, meets every refusal, and finds all invariants true on its way.
abstract contract Reach is MarketInvariants {
    uint256 private constant STEPS = 9_000;
    uint256 private constant CHECK_EVERY = 500;
    uint256 private constant OFTEN = 15;

    function test_aLongRunReachesEveryEndingAndEveryOperationOften() public {
        for (uint256 index = 1; index <= STEPS; ++index) {
            // Called from outside, so that the memory of each step is given back.
            this.step(index);
            if (index == STEPS / 2) closeCredits();
            if (index % CHECK_EVERY == 0) invariant_allHold();
        }
        assertEveryEndingOften();
        assertEveryOperationOften();
        assertEveryRefusalOften();
        assertEverySituation();
    }

    function assertEveryEndingOften() private view {
        for (uint256 index = 0; index <= uint256(type(Ending).max); ++index) {
            assertGe(endings[Ending(index)], OFTEN / 2, string.concat("ending ", vm.toString(index)));
        }
    }

    /// @dev Rare are the rescue of a paused agent and the way out of a bond; credits close once and for all, here at
    /// half time.
    function assertEveryOperationOften() private view {
        for (uint256 index = 0; index <= uint256(type(Operation).max); ++index) {
            Operation operation = Operation(index);
            uint256 least = OFTEN / 2;
            if (operation == Operation.RESCUE || operation == Operation.WITHDRAW_BOND) least = 3;
            if (operation == Operation.CLOSE_CREDITS) least = 1;
            if (operation == Operation.CALL_RESTRICTED) assertEq(done[operation], 0, "what is restricted stays so");
            else assertGe(done[operation], least, string.concat("operation ", vm.toString(index)));
        }
    }

    /// @dev Every operation on a task is refused to the wrong caller or at the wrong time.
    function assertEveryRefusalOften() private view {
        for (uint256 index = uint256(Operation.CLAIM); index <= uint256(Operation.SETTLE); ++index) {
            assertGe(refused[Operation(index)], 5, string.concat("refusal of operation ", vm.toString(index)));
        }
        assertGe(refused[Operation.CREATE], OFTEN, "refusal of signed terms");
        assertGe(refused[Operation.CALL_RESTRICTED], OFTEN, "refusal of what is restricted");
    }

    function assertDisputesEndInEveryPhase() private view {
        for (uint256 index = uint256(Phase.ANSWERING); index <= uint256(Phase.ESCALATED); ++index) {
            string memory name = vm.toString(index);
            assertGe(endedIn[Phase(index)][Operation.CONCEDE], 3, string.concat("conceded in phase ", name));
            assertGe(endedIn[Phase(index)][Operation.SETTLE], 2, string.concat("settled in phase ", name));
        }
        assertGe(endedUnbonded, OFTEN, "ended after an answer without a bond");
        assertGe(endedSponsored, OFTEN, "ended after somebody else's answer");
    }

    function assertEverySituation() private view {
        uint256 afterRelisting;
        uint256 withMilestones;
        uint256 bySmartWallet;
        uint256 fundedInParts;
        for (uint256 taskId = 1; taskId <= registry.taskCount(); ++taskId) {
            TaskView memory task = registry.getTask(taskId);
            if (task.funded != 0 && !isFullyFunded(task)) ++fundedInParts;
            if (task.state != State.COMPLETED) continue;
            if (task.round != 0) ++afterRelisting;
            if (task.milestoneCount > 1) ++withMilestones;
            if (task.poster.code.length != 0 || task.worker.code.length != 0) ++bySmartWallet;
        }
        assertDisputesEndInEveryPhase();
        assertGe(afterRelisting, 5, "completed by a second worker");
        assertGe(withMilestones, OFTEN, "completed in milestones");
        assertGe(bySmartWallet, OFTEN, "completed with a smart wallet");
        assertGe(fundedInParts, 5, "ended half funded");
        assertGe(creditsConsumed, OFTEN * FEE, "fees paid with credits");
        assertGe(recordOf(arbitrator).missed + recordOf(worker).missed, 1, "arbitrators slashed for silence");
    }
}
