// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Operation} from "./Operation.sol";
import "./TaskActions.sol";

/// @notice What an intruder tries: functions that only another contract, the owner or a publisher may call, and
/// signed terms that have been used. None of it may ever succeed.
abstract contract RestrictedActions is TaskActions {
    function callRestricted(address intruder, address victim, TaskView memory task) internal {
        Act memory act = newAct(Operation.CALL_RESTRICTED, task, intruder);
        uint256 taskId = task.id;
        uint256 choice = roll(6);
        if (choice == 0) (act.target, act.data) = (address(escrow), onEscrow(intruder, victim, taskId));
        else if (choice == 1) (act.target, act.data) = (address(deposits), onDeposits(intruder, victim));
        else if (choice == 2) (act.target, act.data) = (address(gateway), onGateway(victim, taskId));
        else if (choice == 3) (act.target, act.data) = (address(staking), onStaking(victim));
        else if (choice == 4) (act.target, act.data) = onTasks(intruder, victim, taskId);
        else (act.target, act.data) = onOwned(intruder);
        act.allowed = false;
        perform(act);
    }

    function replayCreation() internal {
        if (usedCreation.length == 0) return;
        Act memory act = newAct(Operation.CREATE, usedCreationCaller, address(registry));
        act.data = usedCreation;
        act.allowed = false;
        perform(act);
    }

    function onEscrow(address intruder, address victim, uint256 taskId) private returns (bytes memory) {
        uint96 held = escrow.held(taskId);
        uint256 choice = roll(5);
        if (choice == 0) return abi.encodeCall(escrow.fund, (taskId, victim, 1e18));
        if (choice == 1) return abi.encodeCall(escrow.release, (taskId, intruder, held));
        if (choice == 2) return abi.encodeCall(escrow.payFee, (taskId, intruder, held));
        if (choice == 3) return abi.encodeCall(escrow.refundBeyond, (taskId, intruder, 0));
        return abi.encodeCall(escrow.refundAll, (taskId, intruder));
    }

    function onDeposits(address intruder, address victim) private returns (bytes memory) {
        uint256 choice = roll(3);
        if (choice == 0) return abi.encodeCall(deposits.lockBond, (victim));
        if (choice == 1) return abi.encodeCall(deposits.unlockBond, (victim));
        return abi.encodeCall(deposits.slashBond, (victim, intruder, false));
    }

    function onGateway(address victim, uint256 taskId) private returns (bytes memory) {
        if (chance(50)) return abi.encodeCall(gateway.pull, (victim, 1e18));
        return abi.encodeCall(gateway.collectAccessFee, (victim, FeeAction.POST, taskId));
    }

    function onStaking(address victim) private returns (bytes memory) {
        uint256 choice = roll(4);
        if (choice == 0) return abi.encodeCall(staking.addReward, (1e18));
        if (choice == 1) return abi.encodeCall(staking.consumeCredits, (victim, 1));
        if (choice == 2) return abi.encodeCall(staking.closeCreditIssuance, ());
        return abi.encodeCall(staking.activate, ());
    }

    function onTasks(address intruder, address victim, uint256 taskId) private returns (address, bytes memory) {
        uint256 choice = roll(4);
        if (choice == 0) {
            SettlementKind kind = chance(50) ? SettlementKind.MUTUAL : SettlementKind.RULING;
            return (address(registry), abi.encodeCall(registry.settleDispute, (taskId, kind, BPS, 0, intruder)));
        }
        if (choice == 1) return (address(registry), abi.encodeCall(registry.setEntriesPaused, (true)));
        if (choice == 2) {
            return (address(court), abi.encodeCall(court.open, (taskId, victim, intruder, 1e18, 1, true)));
        }
        return (address(reputation), abi.encodeCall(reputation.bump, (intruder, RepKind.COMPLETED)));
    }

    function onOwned(address intruder) private returns (address, bytes memory) {
        if (chance(25)) return (address(court), abi.encodeCall(court.scheduleFallback, (intruder)));
        if (chance(50)) return (address(policy), abi.encodeCall(policy.setPlan, ("basic", 1, 1, 0, true)));
        if (chance(50)) return (address(feed), abi.encodeCall(feed.setPublisher, (intruder, true)));
        return (address(feed), abi.encodeCall(feed.publish, (1)));
    }
}
