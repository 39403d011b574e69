// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./AttackTest.sol";

/// @dev Every user approves the gateway without limit. Somebody wants to spend those approvals: by calling the
/// gateway, by calling what may call the gateway, with its own market, or by naming the victim in an operation.
/// Answer: only escrow, court and staking of the same market may pull, only to themselves; those are identified by
/// the registry alone or charge their caller; and the registry charges its caller, or a party whose signature of
/// exactly these terms it checked.
contract RouterAbuseTest is AttackTest {
    address private victim;
    Wealth private before;

    function setUp() public override {
        super.setUp();
        victim = rival;
        before = wealthOf(victim);
    }

    function test_anotherMarketsContractsAreStrangersHere() public {
        IPaymentGateway home = paymentGateway;
        (IEscrowVault homeEscrow, IDisputeCourt homeCourt) = (escrow, court);
        deployMarket(address(tok), address(usdc));
        address[4] memory others = [address(escrow), address(court), address(staking), address(registry)];
        for (uint256 index = 0; index < 4; ++index) {
            expectNotAuthorized(others[index]);
            vm.prank(others[index]);
            home.pull(victim, 1);
            expectNotAuthorized(others[index]);
            vm.prank(others[index]);
            home.collectAccessFee(victim, FeeAction.POST, 1);
        }
        expectNotAuthorized(address(registry));
        vm.prank(address(registry));
        homeEscrow.fund(1, victim, 1);
        vm.expectRevert(abi.encodeWithSelector(IDisputeCourt.NotRegistry.selector, address(registry)));
        vm.prank(address(registry));
        homeCourt.open(1, victim, stranger, 1, 1);
        assertEq(tok.balanceOf(victim), WALLET_TOK);
    }

    /// @dev A bystander with open approvals looks on while others do everything that moves TOK.
    function testFuzz_aBystanderIsNeverCharged(uint16 workerBps, uint128 stakeAmount) public {
        openStaking();
        stakingAs(worker).stake(uint128(bound(stakeAmount, 10_000e18, 1_000_000e18)));
        paymentGatewayAs(poster).purchasePlan("basic", PayWith.TOK, type(uint256).max, 0, 0);
        uint256 taskId = assigned();
        courtAs(arbitrator).resolveDispute(taskId, uint16(bound(workerBps, 0, 10_000)), REASON, REASON_URI);
        taskId = active();
        leaveTask(taskId);
        skip(1 days);
        postedUnfunded();
        paymentGateway.flush();
        vm.startPrank(worker);
        IStakingVault.Staker memory staker = staking.stakerOf(worker);
        staking.unstake(staker.staked);
        staking.claimReward();
        vm.stopPrank();
        assertOutcome(victim, before, 0, 0);
        assertEq(tok.allowance(victim, address(paymentGateway)), type(uint256).max);
    }
}
