// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Operation} from "./Operation.sol";
import "./TransitionTable.sol";

/// @notice What stakers do.
abstract contract StakeActions is TransitionTable {
    uint256 private constant MIN_STAKE = 10_000e18;

    /// @dev Odd amounts, so that every share of a reward has to be rounded.
    function stake(address by) internal {
        uint256 staked = staking.stakerOf(by).staked;
        uint128 amount = uint128(between(1, chance(90) ? 200_000e18 : MIN_STAKE));
        Act memory act = newAct(Operation.STAKE, by, address(staking));
        act.data = abi.encodeCall(staking.stake, (amount));
        act.allowed = staked + amount >= MIN_STAKE;
        perform(act);
    }

    function unstake(address by) internal {
        IStakingVault.Staker memory staker = staking.stakerOf(by);
        uint256 amount = chance(40) ? staker.staked : roll(uint256(staker.staked) + 2);
        Act memory act = newAct(Operation.UNSTAKE, by, address(staking));
        act.data = abi.encodeCall(staking.unstake, (uint128(amount)));
        bool fits = amount != 0 && amount <= staker.staked && time() >= staker.stakedAt + DAY;
        act.allowed = fits && (amount == staker.staked || staker.staked - amount >= MIN_STAKE);
        perform(act);
    }

    /// @dev Every caller gets what it owns, possibly nothing. This must never fail.
    function claimReward(address by) internal {
        Act memory act = newAct(Operation.CLAIM_REWARD, by, address(staking));
        act.data = abi.encodeCall(staking.claimReward, ());
        perform(act);
    }

    function closeCredits() internal {
        Act memory act = newAct(Operation.CLOSE_CREDITS, owner, address(staking));
        act.data = abi.encodeCall(staking.closeCreditIssuance, ());
        perform(act);
    }
}
