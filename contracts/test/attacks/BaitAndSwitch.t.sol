// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./AttackTest.sol";

/// @dev A poster changes what a worker is about to accept, or who it is about to start: between the moment the other
/// read the task and the moment its transaction runs, the number stays the same and the terms do not.
/// Answer: terms never change after posting; a claim names the digest of exactly the terms that were read, and so
/// does a start; whatever differs reverts, and a revert costs no fee.
contract BaitAndSwitchTest is AttackTest {
    /// @dev A reorganised chain gives the poster a second try at the same task number.
    function testFuzz_reverts_whenTheSameNumberHasOtherTerms(uint8 field) public {
        uint256 snapshot = vm.snapshotState();
        uint256 taskId = posted();
        bytes32 digest = registry.openDigest(taskId, worker);
        vm.revertToState(snapshot);

        ITaskRegistry.PostParams memory params = postParams();
        field = uint8(bound(field, 0, 4));
        if (field == 0) params.totalAmount = TOTAL - 1;
        else if (field == 1) params.deadline -= 1;
        else if (field == 2) params.reviewPeriod += 1;
        else if (field == 3) params.criteriaHash = keccak256("It works, and twice as much besides.");
        else params.milestones = threeMilestones();
        vm.prank(poster);
        assertEq(registry.postTask(params), taskId, "the same number");
        expectRefused(taskId, digest);
    }

    function test_theTermsThatWereReadAreTheTermsThatWereAccepted() public {
        uint256 taskId = posted();
        bytes32 digest = registry.openDigest(taskId, worker);
        registryAs(worker).claimTask(taskId, digest);
        assertEq(digestOf(taskId), digest);
        skip(1 days);
        start(taskId);
        assertEq(digestOf(taskId), digest, "a moved deadline does not touch what was accepted");
    }

    function expectRefused(uint256 taskId, bytes32 digest) private {
        Wealth memory victim = wealthOf(worker);
        bytes32 current = registry.openDigest(taskId, worker);
        expectDigestMismatch(current);
        registryAs(worker).claimTask(taskId, digest);
        assertState(taskId, State.POSTED);
        assertOutcome(worker, victim, 0, 0);
        assertEq(lockedOf(worker), 0);
    }
}
