// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./StatesTest.sol";

/// @notice Everything that anybody owns. A test reads the books, writes into them what an operation has to change,
/// runs it, and compares: whatever it did not write is thereby shown to be untouched, and no wei appears or vanishes.
abstract contract BooksTest is StatesTest {
    struct Holding {
        uint256 tok;
        uint256 usdc;
        uint256 deposit;
        uint256 locked;
        uint256 engagements;
        Reputation record;
    }

    /// @dev The contracts' entries are their TOK; `bonded` is what the court counts as arbitrators' bonds.
    struct Books {
        Holding poster;
        Holding worker;
        Holding rival;
        Holding arbitrator;
        Holding fallbackArbitrator;
        Holding stranger;
        uint256 treasury;
        uint256 escrow;
        uint256 court;
        uint256 bonded;
        uint256 paymentGateway;
        uint256 staking;
        uint256 supply;
    }

    function readBooks() internal view returns (Books memory books) {
        books.poster = readHolding(poster);
        books.worker = readHolding(worker);
        books.rival = readHolding(rival);
        books.arbitrator = readHolding(arbitrator);
        books.fallbackArbitrator = readHolding(fallbackArbitrator);
        books.stranger = readHolding(stranger);
        books.treasury = tok.balanceOf(treasury);
        books.escrow = tok.balanceOf(address(escrow));
        books.court = tok.balanceOf(address(court));
        books.bonded = court.totalBonded();
        books.paymentGateway = tok.balanceOf(address(paymentGateway));
        books.staking = tok.balanceOf(address(staking));
        books.supply = tok.totalSupply();
    }

    function readHolding(address agent) internal view returns (Holding memory holding) {
        holding.tok = tok.balanceOf(agent);
        holding.usdc = usdc.balanceOf(agent);
        (IDepositVault.Account memory account, , , ) = deposits.accountOf(agent);
        holding.deposit = account.balance;
        holding.locked = account.locked;
        holding.engagements = account.engagements;
        holding.record = reputation.reputationOf(agent);
    }

    function assertBooks(Books memory expected) internal view {
        Books memory actual = readBooks();
        assertHolding(actual.poster, expected.poster, "poster");
        assertHolding(actual.worker, expected.worker, "worker");
        assertHolding(actual.rival, expected.rival, "rival");
        assertHolding(actual.arbitrator, expected.arbitrator, "arbitrator");
        assertHolding(actual.fallbackArbitrator, expected.fallbackArbitrator, "fallback arbitrator");
        assertHolding(actual.stranger, expected.stranger, "stranger");
        assertEq(actual.treasury, expected.treasury, "treasury");
        assertEq(actual.escrow, expected.escrow, "escrow");
        assertEq(actual.court, expected.court, "court");
        assertEq(actual.bonded, expected.bonded, "bonded");
        assertEq(actual.paymentGateway, expected.paymentGateway, "payment gateway");
        assertEq(actual.staking, expected.staking, "staking");
        assertEq(actual.supply, expected.supply, "supply");
        assertConserved(actual);
    }

    function assertHolding(Holding memory actual, Holding memory expected, string memory who) private pure {
        assertEq(actual.tok, expected.tok, string.concat(who, "'s TOK"));
        assertEq(actual.usdc, expected.usdc, string.concat(who, "'s USDC"));
        assertEq(actual.deposit, expected.deposit, string.concat(who, "'s deposit"));
        assertEq(actual.locked, expected.locked, string.concat(who, "'s locked deposit"));
        assertEq(actual.engagements, expected.engagements, string.concat(who, "'s engagements"));
        assertEq(abi.encode(actual.record), abi.encode(expected.record), string.concat(who, "'s record"));
    }

    /// @dev This contract holds the TOK that nobody was given.
    function assertConserved(Books memory books) private view {
        uint256 people =
            books.poster.tok +
                books.worker.tok +
                books.rival.tok +
                books.arbitrator.tok +
                books.fallbackArbitrator.tok +
                books.stranger.tok +
                tok.balanceOf(address(this));
        uint256 contracts = books.treasury + books.escrow + books.court + books.paymentGateway + books.staking;
        assertEq(people + contracts, books.supply, "TOK add up to the supply");
        assertEq(books.escrow, heldInAll(), "escrow holds what it counts");
        uint256 collateral =
            books.poster.deposit +
                books.worker.deposit +
                books.rival.deposit +
                books.arbitrator.deposit +
                books.fallbackArbitrator.deposit +
                books.stranger.deposit;
        assertEq(usdc.balanceOf(address(deposits)), collateral, "USDC add up to the deposits");
        assertEq(deposits.totalHeld(), collateral, "the vault counts what it holds");
    }

    // What an operation has to change

    /// @dev An access fee in TOK; the first one a day after the last split is split with all that is pending.
    function expectFee(Books memory books, Holding memory payer) internal view {
        payer.tok -= FEE;
        books.paymentGateway += FEE;
        if (vm.getBlockTimestamp() < paymentGateway.lastFlush() + 1 days) return;
        uint256 pending = books.paymentGateway;
        books.paymentGateway = 0;
        // Before staking starts nobody could claim the stakers' share: it is burnt as well.
        bool staked = staking.stakingActive();
        uint256 share = (pending * 40) / 100;
        books.supply -= staked ? share : 2 * share;
        books.staking += staked ? share : 0;
        books.treasury += pending - 2 * share;
    }

    function expectFromEscrow(Books memory books, Holding memory receiver, uint256 amount) internal pure {
        books.escrow -= amount;
        receiver.tok += amount;
    }

    /// @dev The holding of one of the people whose books are kept.
    function holdingOf(Books memory books, address agent) internal view returns (Holding memory) {
        if (agent == poster) return books.poster;
        if (agent == worker) return books.worker;
        if (agent == rival) return books.rival;
        if (agent == arbitrator) return books.arbitrator;
        if (agent == fallbackArbitrator) return books.fallbackArbitrator;
        require(agent == stranger, "no books are kept for this agent");
        return books.stranger;
    }

    function expectUnlocked(Holding memory agent) internal pure {
        agent.locked -= BOND;
        agent.engagements -= 1;
    }

    function expectSlashed(Holding memory loser, Holding memory winner) internal pure {
        expectLost(loser, winner, BOND);
    }

    /// @dev The whole bond comes free, and this much of it goes to the other side.
    function expectLost(Holding memory loser, Holding memory winner, uint96 amount) internal pure {
        expectUnlocked(loser);
        loser.deposit -= amount;
        winner.deposit += amount;
    }

    function expectCounted(Holding memory agent, RepKind kind) internal view {
        Reputation memory record = agent.record;
        if (kind == RepKind.COMPLETED) record.completed += 1;
        else if (kind == RepKind.WON) record.disputesWon += 1;
        else if (kind == RepKind.LOST) record.disputesLost += 1;
        else if (kind == RepKind.LEFT) record.left += 1;
        else if (kind == RepKind.DISMISSED) record.dismissed += 1;
        else record.lapsed += 1;
        record.lastActive = uint32(vm.getBlockTimestamp());
    }
}
