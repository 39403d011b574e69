// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./StakingTest.sol";

/// @dev activate, closeCreditIssuance, ownership: all an owner can do
///   each refused to all but the owner
///   activate: once; the time is emitted
///   closeCreditIssuance: counts up to now, then no more is issued; credits and rewards earned stay good, stakes move
///          freely; closing again changes nothing
///   ownership passes only when taken
contract OwnerTest is StakingTest {
    function test_reverts_forAllButTheOwner() public {
        bytes4 refusal = Ownable.OwnableUnauthorizedAccount.selector;
        assertRefusedToAllBut(owner, address(staking), abi.encodeCall(IStakingVault.activate, ()), refusal);
        assertRefusedToAllBut(owner, address(staking), abi.encodeCall(IStakingVault.closeCreditIssuance, ()), refusal);
        assertFalse(staking.creditsClosedByOwner());
    }

    function test_activate_opensTheVaultOnce() public {
        deployMarket(address(tok), address(usdc));
        assertFalse(staking.stakingActive(), "before");
        vm.expectEmit(address(staking));
        emit IStakingVault.StakingActivated(START);
        openStaking();
        assertTrue(staking.stakingActive(), "after");
        (bool active, , , , , ) = staking.overview();
        assertTrue(active, "in the overview");
        vm.prank(owner);
        vm.expectRevert(abi.encodeWithSelector(IStakingVault.AlreadyActive.selector, address(staking)));
        staking.activate();
    }

    function test_close_leavesStakesRewardsAndCreditsGood() public {
        stake(alice, MIN_STAKE);
        addReward(700e18);
        skip(1 days);
        close();
        skip(6 days);
        stake(bob, MIN_STAKE);
        assertTrue(consume(alice, MIN_STAKE_CREDIT_RATE * 1 days), "credits");
        assertGt(claim(alice), 100e18, "rewards go on");
        unstake(alice, MIN_STAKE);
        assertEq(staking.totalStaked(), MIN_STAKE, "stakes move");
        assertAccounted();
    }

    function test_close_againChangesNothing() public {
        stake(alice, MIN_STAKE);
        skip(1 days);
        close();
        skip(1 days);
        vm.expectEmit(address(staking));
        emit IStakingVault.CreditIssuanceClosed(MIN_STAKE_CREDIT_RATE * 1 days);
        close();
        assertEq(staking.totalCreditsIssued(), MIN_STAKE_CREDIT_RATE * 1 days);
    }

    function test_ownershipPassesOnlyWhenTaken() public {
        Ownable2Step owned = Ownable2Step(address(staking));
        vm.prank(owner);
        owned.transferOwnership(stranger);
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, stranger));
        staking.closeCreditIssuance();
        vm.prank(stranger);
        owned.acceptOwnership();
        vm.prank(owner);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, owner));
        staking.closeCreditIssuance();
        stakingAs(stranger).closeCreditIssuance();
        assertTrue(staking.creditsClosedByOwner());
    }

    function close() private {
        stakingAs(owner).closeCreditIssuance();
    }
}
