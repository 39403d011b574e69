// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {FeeAction, PayWith, Scope, TaskTerms} from "../../src/Types.sol";
import {IDisputeCourt} from "../../src/interfaces/IDisputeCourt.sol";
import {IEscrowVault} from "../../src/interfaces/IEscrowVault.sol";
import {IMarketErrors} from "../../src/interfaces/IMarketErrors.sol";
import {IPaymentGateway} from "../../src/interfaces/IPaymentGateway.sol";
import {IStakingVault} from "../../src/interfaces/IStakingVault.sol";
import {AttackTest} from "./AttackTest.sol";

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

    function testFuzz_nobodyPullsThroughTheGateway(address caller, uint256 amount) public {
        vm.assume(caller != address(escrow) && caller != address(court) && caller != address(staking));
        expectNotAuthorized(caller);
        vm.prank(caller);
        gateway.pull(victim, amount);
        assertOutcome(victim, before, 0, 0);
    }

    function testFuzz_nobodyCollectsFeesThroughTheGateway(address caller, uint8 action) public {
        vm.assume(caller != address(registry));
        expectNotAuthorized(caller);
        vm.prank(caller);
        gateway.collectAccessFee(victim, FeeAction(action % 4), 1);
        assertOutcome(victim, before, 0, 0);
    }

    function testFuzz_nobodyReachesTheGatewayThroughVaultOrCourt(address caller, uint96 amount) public {
        vm.assume(caller != address(registry));
        expectNotAuthorized(caller);
        vm.prank(caller);
        escrow.fund(1, victim, amount);
        vm.expectRevert(abi.encodeWithSelector(IDisputeCourt.NotRegistry.selector, caller));
        vm.prank(caller);
        court.open(1, victim, caller, amount, REVIEW, 1);
        assertOutcome(victim, before, 0, 0);
    }

    /// @dev Even they can take money only to where their own books count it.
    function test_whoMayPullPullsToItself() public {
        address[3] memory pullers = [address(escrow), address(court), address(staking)];
        for (uint256 index = 0; index < 3; ++index) {
            uint256 balance = tok.balanceOf(pullers[index]);
            vm.prank(pullers[index]);
            gateway.pull(poster, 5e18);
            assertEq(tok.balanceOf(pullers[index]) - balance, 5e18);
        }
        assertEq(tok.balanceOf(address(gateway)), 0);
    }

    function test_anotherMarketsContractsAreStrangersHere() public {
        IPaymentGateway home = gateway;
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
        homeCourt.open(1, victim, stranger, 1, REVIEW, 1);
        assertEq(tok.balanceOf(victim), WALLET_TOK);
    }

    /// @dev The victim stands in signed terms that it never signed, on either side.
    function test_reverts_whenTermsNameAVictimThatDidNotSign() public {
        bytes memory forged = signWith(workerKey, keccak256("anything"));
        TaskTerms memory terms = signedTerms(Scope.OPEN, noMilestones());
        terms.poster = victim;
        expectBadSignature(victim);
        vm.prank(worker);
        registry.createTask(terms, noMilestones(), forged, "", "", 0);

        terms = signedTerms(Scope.OPEN, noMilestones());
        terms.worker = victim;
        expectBadSignature(victim);
        vm.prank(poster);
        registry.createTask(terms, noMilestones(), "", forged, "", 0);
        assertOutcome(victim, before, 0, 0);
    }

    function test_reverts_whenAWorkerFundsWithThePostersMoney() public {
        TaskTerms memory terms = signedTerms(Scope.PRIVATE, noMilestones());
        bytes memory posterSig = signWith(posterKey, registry.hashTerms(terms));
        expectNotPoster(worker);
        vm.prank(worker);
        registry.createTask(terms, noMilestones(), posterSig, "", "", TOTAL);
        vm.prank(worker);
        uint256 taskId = registry.createTask(terms, noMilestones(), posterSig, "", "", 0);
        expectNotPoster(worker);
        vm.prank(worker);
        registry.fundTask(taskId, TOTAL);
        assertEq(tok.balanceOf(poster), WALLET_TOK - FEE, "the fee for posting that it signed, and no more");
    }

    /// @dev A bystander with open approvals looks on while others do everything that moves TOK.
    function testFuzz_aBystanderIsNeverCharged(uint16 workerBps, uint128 stakeAmount) public {
        openStaking();
        vm.prank(worker);
        staking.stake(uint128(bound(stakeAmount, 10_000e18, 1_000_000e18)));
        vm.prank(poster);
        gateway.purchasePlan("basic", PayWith.TOK, type(uint256).max, 0, 0);
        uint256 taskId = assigned();
        vm.prank(arbitrator);
        court.resolveDispute(taskId, uint16(bound(workerBps, 0, 10_000)), REASON, REASON_URI);
        taskId = active();
        leaveTask(taskId);
        skip(1 days);
        postedUnfunded();
        gateway.flush();
        vm.startPrank(worker);
        IStakingVault.Staker memory staker = staking.stakerOf(worker);
        staking.unstake(staker.staked);
        staking.claimReward();
        vm.stopPrank();
        assertOutcome(victim, before, 0, 0);
        assertEq(tok.allowance(victim, address(gateway)), type(uint256).max);
    }

    function expectNotAuthorized(address caller) private {
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.NotAuthorized.selector, caller));
    }
}
