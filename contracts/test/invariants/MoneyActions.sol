// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Operation} from "./Operation.sol";
import "./TransitionTable.sol";

/// @notice What people do with money outside of tasks: deposits, plans, the split of fees, and gifts to contracts.
abstract contract MoneyActions is TransitionTable {
    /// @dev The careless agent fills up to the entry deposit and not a cent further.
    function topUp(address by) internal {
        uint96 amount = by == careless ? ENTRY - depositOf(by) : uint96(between(1, 100e6));
        Act memory act = newAct(Operation.TOP_UP, by, address(deposits));
        act.data = abi.encodeCall(deposits.topUp, (amount));
        perform(act);
    }

    function rescue(address agent, address by) internal {
        uint96 amount = uint96(between(1, PAUSE));
        Act memory act = newAct(Operation.RESCUE, by, address(deposits));
        act.concerned.beneficiary = agent;
        act.data = abi.encodeCall(deposits.emergencyTopUp, (agent, amount));
        act.allowed = isPaused(agent) && depositOf(agent) + amount >= PAUSE;
        perform(act);
    }

    function withdraw(address by, address to) internal {
        IDepositVault.Account memory account = accountOf(by);
        uint96 kept =
            account.engagements == 0
                ? 0
                : account.locked > ENTRY
                    ? account.locked
                    : ENTRY;
        uint96 free = account.balance > kept ? account.balance - kept : 0;
        uint96 amount = chance(20) ? free : uint96(roll(uint256(free) + 2));
        Act memory act = newAct(Operation.WITHDRAW, by, address(deposits));
        act.concerned.beneficiary = to;
        act.data = abi.encodeCall(deposits.withdraw, (amount, to));
        act.allowed = amount != 0 && amount <= free;
        perform(act);
    }

    /// @dev TOK is taken only at a fresh price.
    function buyPlan(address by) internal {
        PayWith payWith = chance(50) ? PayWith.TOK : PayWith.USDC;
        (uint256 list, , , uint256 tokAmount, bool tokAllowed) = policy.quote("basic");
        uint256 price = payWith == PayWith.TOK ? tokAmount : list;
        uint256 maxPay = price == 0 || chance(90) ? price : price - 1;
        Act memory act = newAct(Operation.BUY_PLAN, by, address(gateway));
        act.data = abi.encodeCall(gateway.purchasePlan, ("basic", payWith, maxPay, 0, 0));
        act.allowed = maxPay == price && (payWith == PayWith.USDC || tokAllowed);
        perform(act);
    }

    function publishPrice() internal {
        (, , uint256 priceE8, , ) = policy.quote("basic");
        Act memory act = newAct(Operation.PUBLISH_PRICE, publisher, address(feed));
        act.data = abi.encodeCall(feed.publish, (500_000));
        // Only a price that went stale is replaced here: by then the feed's interval has long passed.
        act.allowed = priceE8 == 0;
        if (act.allowed) perform(act);
    }

    function flushFees(address by) internal {
        Act memory act = newAct(Operation.FLUSH, by, address(gateway));
        act.data = abi.encodeCall(gateway.flush, ());
        perform(act);
    }

    /// @dev Tokens that arrive uncalled for: no contract may take them for something else.
    function donate(address by) internal {
        address[6] memory contracts = [
            address(escrow),
            address(deposits),
            address(court),
            address(staking),
            address(gateway),
            address(registry)
        ];
        address to = contracts[roll(contracts.length)];
        bool inTok = chance(70);
        ITestToken token = inTok ? tok : usdc;
        uint256 amount = between(1, inTok ? 100e18 : 1e6);
        Act memory act = newAct(Operation.DONATE, by, address(token));
        act.data = abi.encodeCall(token.transfer, (to, amount));
        if (!perform(act)) return;
        if (inTok) donatedTok[to] += amount;
        else donatedUsdc[to] += amount;
    }

    function setEntriesPaused(bool paused) internal {
        Act memory act = newAct(Operation.PAUSE_ENTRIES, owner, address(registry));
        act.data = abi.encodeCall(registry.setEntriesPaused, (paused));
        perform(act);
    }
}
