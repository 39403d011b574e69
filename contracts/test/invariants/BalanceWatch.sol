// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IDepositVault} from "../../src/interfaces/IDepositVault.sol";
import {ActorBook} from "./ActorBook.sol";

/// @notice Compares what everybody owns before and after a call. Money may leave only the caller's wallet, or the
/// wallet of one that signed for it; it may reach only those whom the call concerns.
abstract contract BalanceWatch is ActorBook {
    struct Purse {
        uint256 tok;
        uint256 usdc;
        uint256 deposit;
    }

    /// @dev The cosigner agreed by signature and pays one access fee; the beneficiary is named by the caller.
    struct Concerned {
        address caller;
        address poster;
        address worker;
        address cosigner;
        address beneficiary;
    }

    /// @dev Balances that moved without their owner's part in the call, and the last owner this happened to.
    uint256 internal strangeMoves;
    address internal lastStrangelyMoved;

    function readPurses() internal view returns (Purse[] memory purses) {
        IDepositVault.Account[] memory accounts = deposits.accountsOf(people);
        purses = new Purse[](people.length);
        for (uint256 index = 0; index < purses.length; ++index) {
            purses[index] = Purse({
                tok: tok.balanceOf(people[index]),
                usdc: usdc.balanceOf(people[index]),
                deposit: accounts[index].balance
            });
        }
    }

    function comparePurses(Purse[] memory before, Purse[] memory afterwards, Concerned memory concerned) internal {
        for (uint256 index = 0; index < before.length; ++index) {
            if (isFair(people[index], before[index], afterwards[index], concerned)) continue;
            ++strangeMoves;
            lastStrangelyMoved = people[index];
        }
    }

    function isFair(address owner_, Purse memory before, Purse memory afterwards, Concerned memory concerned)
        private
        view
        returns (bool)
    {
        bool isParty = owner_ == concerned.poster || owner_ == concerned.worker;
        bool isPayer = owner_ == concerned.caller;
        bool isPayee = isPayer || isParty || owner_ == concerned.beneficiary;
        uint256 freeSpending = isPayer ? type(uint256).max : 0;
        uint256 tokLimit = owner_ == concerned.cosigner ? FEE : freeSpending;
        // Deposits change hands as slashed bonds, so both parties of the task may lose and win there.
        bool depositFair = isPayee || isParty || before.deposit == afterwards.deposit;
        return depositFair && moved(before.tok, afterwards.tok, tokLimit, isPayee || owner_ == treasury)
            && moved(before.usdc, afterwards.usdc, freeSpending, isPayee || owner_ == treasury);
    }

    function moved(uint256 before, uint256 afterwards, uint256 mayLose, bool mayGain) private pure returns (bool) {
        if (afterwards > before) return mayGain;
        return before - afterwards <= mayLose;
    }
}
