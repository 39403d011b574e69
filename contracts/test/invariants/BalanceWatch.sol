// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./ActorBook.sol";

/// @notice Compares what everybody owns before and after a call. Money may leave only the caller's wallet, or the
/// wallet of one that signed for it; it may reach only those whom the call concerns.
abstract contract BalanceWatch is ActorBook {
    struct Purse {
        uint256 tok;
        uint256 usdc;
        uint256 deposit;
    }

    /// @dev The cosigner agreed by signature and pays one access fee; the beneficiary is named by the caller, or judges
    /// the case; the sponsor gets back what it put up for the worker.
    struct Concerned {
        address caller;
        address poster;
        address worker;
        address cosigner;
        address beneficiary;
        address sponsor;
    }

    /// @dev What everybody owned after the last call. Nothing may change between calls either.
    mapping(address owner => Purse) private _purses;
    /// @dev Balances that moved without their owner's part in the call, and the last owner this happened to.
    uint256 internal strangeMoves;
    address internal lastStrangelyMoved;

    function setUp() public virtual override {
        super.setUp();
        for (uint256 index = 0; index < people.length; ++index) {
            _purses[people[index]] = readPurse(people[index], depositOf(people[index]));
        }
    }

    function comparePurses(Concerned memory concerned) internal {
        IDepositVault.Account[] memory accounts = deposits.accountsOf(people);
        for (uint256 index = 0; index < accounts.length; ++index) {
            address person = people[index];
            Purse memory before = _purses[person];
            Purse memory afterwards = readPurse(person, accounts[index].balance);
            bool isSame =
                before.tok == afterwards.tok && before.usdc == afterwards.usdc && before.deposit == afterwards.deposit;
            if (isSame) continue;
            _purses[person] = afterwards;
            if (isFair(person, before, afterwards, concerned)) continue;
            ++strangeMoves;
            lastStrangelyMoved = person;
        }
    }

    function readPurse(address person, uint256 deposit) private view returns (Purse memory) {
        return Purse({tok: tok.balanceOf(person), usdc: usdc.balanceOf(person), deposit: deposit});
    }

    function isFair(
        address person,
        Purse memory before,
        Purse memory afterwards,
        Concerned memory concerned
    ) private view returns (bool) {
        bool isPayer = person == concerned.caller;
        bool isPayee = isPayer || mayBePaid(person, concerned);
        uint256 freeSpending = isPayer ? type(uint256).max : 0;
        uint256 tokLimit = person == concerned.cosigner ? FEE : freeSpending;
        // Deposits change hands as slashed bonds, so both parties of the task may lose and win there.
        bool depositFair = isPayee || before.deposit == afterwards.deposit;
        return
            depositFair &&
            moved(before.tok, afterwards.tok, tokLimit, isPayee || person == treasury) &&
            moved(before.usdc, afterwards.usdc, freeSpending, isPayee || person == treasury);
    }

    function mayBePaid(address person, Concerned memory concerned) private pure returns (bool) {
        bool isParty = person == concerned.poster || person == concerned.worker;
        return isParty || person == concerned.beneficiary || person == concerned.sponsor;
    }

    function moved(uint256 before, uint256 afterwards, uint256 mayLose, bool mayGain) private pure returns (bool) {
        if (afterwards > before) return mayGain;
        return before - afterwards <= mayLose;
    }
}
