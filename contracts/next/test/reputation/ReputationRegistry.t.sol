// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "../MarketTest.sol";

/// @dev bump, agents, reputationOf
///   bump: each kind counts in its own counter and touches no other; the new
///         count is emitted; the time of the last one is kept
///   agents: in the order of their first mark, each once; paged by from and count, beyond the end it is empty
///   there is no score
contract ReputationRegistryTest is MarketTest {
    uint256 private constant KINDS = 6;

    address private ann = makeAddr("ann");
    address private ben = makeAddr("ben");
    address private cleo = makeAddr("cleo");

    function test_bump_reverts_forAnUnknownKind() public {
        vm.prank(address(registry));
        (bool success, bytes memory answer) = address(reputation).call(
            abi.encodeWithSelector(IReputationRegistry.bump.selector, ann, KINDS)
        );
        assertFalse(success);
        assertEq(answer, "");
    }

    function test_bump_countsEachKindApart() public {
        for (uint256 kind = 0; kind < KINDS; ++kind) {
            for (uint32 count = 1; count <= kind + 1; ++count) {
                skip(1);
                expectMarkLog(ann, RepKind(kind), count);
                bump(ann, RepKind(kind));
            }
        }
        Reputation memory record = reputation.reputationOf(ann);
        assertEq(abi.encode(record), abi.encode(Reputation(1, 2, 3, 4, 5, 6, uint32(vm.getBlockTimestamp()))));
        Reputation memory nobody = reputation.reputationOf(ben);
        assertEq(abi.encode(nobody), abi.encode(Reputation(0, 0, 0, 0, 0, 0, 0)));
    }

    function test_agents_standInTheOrderOfTheirFirstMarkEachOnce() public {
        threeAgents();
        (address[] memory accounts, Reputation[] memory records, uint256 total) = reputation.agents(0, 3);
        assertEq(total, 3);
        assertEq(accounts.length, 3);
        assertEq(accounts[0], ben);
        assertEq(accounts[1], ann);
        assertEq(accounts[2], cleo);
        assertEq(records.length, 3);
        assertEq(records[0].completed, 2);
        assertEq(records[1].disputesWon, 1);
        assertEq(records[2].left, 1);
    }

    function test_agents_arePagedAndEmptyBeyondTheEnd() public {
        assertPage(0, 10, 0);
        threeAgents();
        assertPage(0, 0, 0);
        assertPage(0, 2, 2);
        assertPage(1, 2, 2);
        assertPage(2, 2, 1);
        assertPage(3, 2, 0);
        assertPage(4, 2, 0);
        assertPage(0, type(uint256).max, 3);
        assertPage(2, type(uint256).max, 1);
        assertPage(type(uint256).max, type(uint256).max, 0);
        (address[] memory accounts, , ) = reputation.agents(1, 1);
        assertEq(accounts[0], ann);
    }

    function testFuzz_eachCounterCountsItsMarks(uint8[32] memory marks) public {
        uint256[KINDS] memory counts;
        for (uint256 index = 0; index < marks.length; ++index) {
            RepKind kind = RepKind(marks[index] % KINDS);
            bump(ann, kind);
            ++counts[uint256(kind)];
        }
        Reputation memory record = reputation.reputationOf(ann);
        assertEq(record.completed, counts[0]);
        assertEq(record.disputesWon, counts[1]);
        assertEq(record.disputesLost, counts[2]);
        assertEq(record.left, counts[3]);
        assertEq(record.dismissed, counts[4]);
        assertEq(record.lapsed, counts[5]);
        assertEq(record.lastActive, START);
    }

    function threeAgents() private {
        bump(ben, RepKind.COMPLETED);
        bump(ann, RepKind.WON);
        bump(ben, RepKind.COMPLETED);
        bump(cleo, RepKind.LEFT);
    }

    function bump(address agent, RepKind kind) private {
        vm.prank(address(registry));
        reputation.bump(agent, kind);
    }

    function assertPage(uint256 from, uint256 count, uint256 size) private view {
        (address[] memory accounts, Reputation[] memory records, ) = reputation.agents(from, count);
        assertEq(accounts.length, size, "accounts");
        assertEq(records.length, size, "records");
    }
}
