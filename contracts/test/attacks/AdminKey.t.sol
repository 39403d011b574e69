// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./AttackTest.sol";

/// @dev The owner's key is stolen, or its holder turns bad.
/// Answer: it can stop new posts and claims, set the terms of posting plans (which a buyer bounds), open staking, end
/// the issue of credits, name price publishers and, with 30 days' warning, the fallback arbitrator of later claims;
/// each of these alone, and none of them touches money that is in the market. Escrow, deposits, gateway and token
/// have no owner at all, and those of court and staking vault cannot reach what lies there. FallbackRotation plays
/// the court's owner.
contract AdminKeyTest is AttackTest {
    function test_escrowDepositsGatewayTokenAndRecordsHaveNoOwner() public view {
        address[5] memory ownerless = [
            address(gateway),
            address(deposits),
            address(escrow),
            address(tok),
            address(reputation)
        ];
        for (uint256 index = 0; index < ownerless.length; ++index) {
            assertFalse(answers(ownerless[index], abi.encodeCall(Ownable.owner, ())), "no owner");
        }
        assertTrue(answers(address(registry), abi.encodeCall(Ownable.owner, ())), "the question is a good one");
    }

    function test_reverts_whenTheOwnerMovesMoneyOrRecords() public {
        uint256 taskId = disputed();
        vm.startPrank(owner);
        expectNotAuthorized();
        escrow.fund(taskId, poster, 1);
        expectNotAuthorized();
        escrow.release(taskId, owner, 1);
        expectNotAuthorized();
        escrow.payFee(taskId, owner, 1);
        expectNotAuthorized();
        escrow.refundAll(taskId, owner);
        expectNotAuthorized();
        deposits.lockBond(poster);
        expectNotAuthorized();
        deposits.unlockBond(poster);
        expectNotAuthorized();
        deposits.slashBond(poster, owner, false);
        expectNotAuthorized();
        gateway.pull(poster, 1);
        expectNotAuthorized();
        gateway.collectAccessFee(poster, FeeAction.POST, taskId);
        expectNotAuthorized();
        staking.addReward(1);
        expectNotAuthorized();
        staking.consumeCredits(poster, 1);
        vm.expectRevert(abi.encodeWithSelector(IStakingVault.InsufficientStake.selector, 0, 1));
        staking.unstake(1);
        expectNotAuthorized();
        reputation.bump(owner, RepKind.COMPLETED);
        vm.expectRevert(abi.encodeWithSelector(IDisputeCourt.NotRegistry.selector, owner));
        court.open(taskId, poster, worker, 1, 1, true);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotCourt.selector, owner));
        registry.settleDispute(taskId, SettlementKind.MUTUAL, 0, 0, address(0));
        expectNotAuthorized();
        escrow.refundBeyond(taskId, owner, 0);
        vm.expectRevert(abi.encodeWithSelector(IDisputeCourt.WrongPhase.selector, Phase.ANSWERING));
        court.resolveDispute(taskId, 0, REASON, REASON_URI);
        expectNotParty();
        court.concede(taskId, Phase.ANSWERING);
        expectNotParty();
        court.answerDispute(taskId, false, EVIDENCE, EVIDENCE_URI);
        expectNotAuthorized();
        court.acceptFallback();
        vm.stopPrank();
    }

    /// @dev registry/SetEntriesPaused covers pausing alone. Here every power is used at once, and still each task
    /// ends and everybody takes its own money out.
    function test_withEveryPowerUsedAllTasksEndAndAllMoneyComesOut() public {
        openStaking();
        stakingAs(rival).stake(10_000e18);
        uint256[4] memory taskIds = [posted(), active(), delivered(), assigned()];
        useEveryPower();

        registryAs(poster).cancelTask(taskIds[0]);
        courtAs(arbitrator).resolveDispute(taskIds[3], 5_000, REASON, REASON_URI);
        courtAs(arbitrator).requestUnbond();
        skip(14 days + 1);
        registry.resolveTimedOut(taskIds[1]);
        registry.resolveTimedOut(taskIds[2]);
        courtAs(arbitrator).withdrawBond();
        vm.startPrank(rival);
        staking.unstake(10_000e18);
        staking.claimReward();
        vm.stopPrank();
        leaveDeposit(poster, 0);
        leaveDeposit(worker, 0);
        assertEq(heldInAll(), 0);
        assertEq(tok.balanceOf(address(court)), 0);
    }

    function testFuzz_reverts_whenAnyoneElseUsesAnOwnersPower(address caller) public {
        vm.assume(caller != owner && caller != address(this));
        bytes memory refused = abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, caller);
        vm.startPrank(caller);
        vm.expectRevert(refused);
        registry.setEntriesPaused(true);
        vm.expectRevert(refused);
        policy.setPlan("basic", 1, 1, 0, true);
        vm.expectRevert(refused);
        staking.activate();
        vm.expectRevert(refused);
        staking.closeCreditIssuance();
        vm.expectRevert(refused);
        court.scheduleFallback(caller);
        vm.expectRevert(refused);
        feed.setPublisher(caller, true);
        vm.stopPrank();
    }

    function test_everyPowerAtOnceMovesNoMoney() public {
        openStaking();
        delivered();
        assigned();
        address[4] memory people = [poster, worker, rival, arbitrator];
        Wealth[4] memory before;
        for (uint256 index = 0; index < 4; ++index) {
            before[index] = wealthOf(people[index]);
        }
        uint256 held = heldInAll();
        useEveryPower();
        for (uint256 index = 0; index < 4; ++index) {
            assertOutcome(people[index], before[index], 0, 0);
        }
        assertEq(heldInAll(), held);
        assertEq(wealthOf(owner).tok + wealthOf(owner).usdc, 0);
    }

    /// @dev Staking is open already, which cannot be taken back. This contract owns the feed.
    function useEveryPower() private {
        vm.startPrank(owner);
        registry.setEntriesPaused(true);
        policy.setPlan("basic", 1, 1_000_000e6, 0, false);
        staking.closeCreditIssuance();
        court.scheduleFallback(owner);
        court.acceptFallback();
        vm.stopPrank();
        feed.setPublisher(owner, true);
    }

    function answers(address target, bytes memory question) private view returns (bool answered) {
        (answered, ) = target.staticcall(question);
    }

    function expectNotParty() private {
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.NotParty.selector, owner));
    }

    function expectNotAuthorized() private {
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.NotAuthorized.selector, owner));
    }
}
