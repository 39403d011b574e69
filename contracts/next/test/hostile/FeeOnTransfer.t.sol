// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {FeeToken} from "../mocks/Tokens.sol";
import "./HostileTokenTest.sol";

/// @dev A TOK or USDC that keeps 1 % of every transfer
///   into escrow, court and staking: refused (Insolvent with what came and what should have), all as before
///   access fees and plans in TOK: the gateway gets less, and splits no more than it got
///   out of escrow: the worker gets less, the books stay exact, other tasks are not touched
///   into deposits: refused, unless a surplus that belongs to nobody covers it
///   plans in USDC: the treasury gets less, nobody else
///   a token that keeps all of it is one that moves nothing and says it did
contract FeeOnTransferTest is HostileTokenTest {
    FeeToken private feeTok;
    FeeToken private feeUsdc;

    function setUp() public override {
        super.setUp();
        feeTok = new FeeToken();
        feeUsdc = new FeeToken();
        enterMarketOf(address(feeTok), address(feeUsdc));
    }

    function test_reverts_whenEscrowWouldGetLess() public {
        uint256 taskId = postedUnfunded();
        uint256 before = tok.balanceOf(poster);
        feeTok.setFee(100);
        expectInsolvent((uint256(TOTAL) * 99) / 100, TOTAL);
        registryAs(poster).fundTask(taskId, TOTAL);
        assertEq(escrow.heldOf(taskId), 0, "held");
        assertEq(tok.balanceOf(poster), before, "wallet");
        assertSolvent();
    }

    function test_reverts_whenAFundedPostWouldBringLess() public {
        ITaskRegistry.PostParams memory params = postParams();
        params.fundNow = TOTAL;
        feeTok.setFee(1);
        expectInsolvent((uint256(TOTAL) * 9_999) / 10_000, TOTAL);
        registryAs(poster).postTask(params);
        assertEq(registry.taskCount(), 0, "tasks");
        assertEq(lockedOf(poster), 0, "bond");
        assertEq(paymentGateway.pendingFees(), 0, "fees");
    }

    function test_reverts_whenTheCourtWouldGetLess() public {
        uint256 taskId = delivered();
        feeTok.setFee(100);
        uint256 bond = (uint256(TOTAL) * 5) / 100;
        uint64 deliveredAt = taskOf(taskId).updatedAt;
        expectInsolvent((bond * 99) / 100, bond);
        registryAs(poster).openDispute(taskId, deliveredAt, EVIDENCE, EVIDENCE_URI);

        expectInsolvent((uint256(MIN_BOND) * 99) / 100, MIN_BOND);
        courtAs(rival).registerArbitrator(MIN_BOND, 0);
        assertEq(court.totalBonded(), MIN_BOND, "the bond of before");
    }

    function test_reverts_whenStakingWouldGetLess() public {
        feeTok.setFee(100);
        expectInsolvent(9_900e18, 10_000e18);
        stakingAs(rival).stake(10_000e18);
        assertEq(staking.totalStaked(), 0);
    }

    function test_aWorkerIsPaidLessButTheBooksStayExact() public {
        uint256 paid = delivered();
        uint256 untouched = posted();
        uint256 before = tok.balanceOf(worker);
        feeTok.setFee(100);
        accept(paid);
        assertEq(tok.balanceOf(worker), before + (uint256(TOTAL) * 99) / 100, "worker's wallet");
        assertEq(taskOf(paid).released, TOTAL, "released");
        assertEq(escrow.heldOf(untouched), TOTAL, "another task's money");
        assertSolvent();
    }

    function test_reverts_whenDepositsWouldGetLess() public {
        uint256 held = deposits.totalHeld();
        feeUsdc.setFee(100);
        expectInsolvent(held + 99e6, held + 100e6);
        depositsAs(poster).topUp(100e6);
        assertEq(deposits.totalHeld(), held, "total held");
        assertSolvent();
    }

    function test_aSurplusMayCoverADepositsFee() public {
        usdc.mint(address(deposits), 1e6);
        uint96 before = depositOf(poster);
        feeUsdc.setFee(100);
        depositsAs(poster).topUp(100e6);
        assertEq(depositOf(poster), before + 100e6, "deposit");
        assertSolvent();
        uint256 held = deposits.totalHeld();
        expectInsolvent(held + 99, held + 100);
        depositsAs(poster).topUp(100);
    }

    function test_reverts_whenTheTokenMovesNothingAndSaysItDid() public {
        uint256 taskId = postedUnfunded();
        uint256 held = deposits.totalHeld();
        feeTok.setFee(10_000);
        feeUsdc.setFee(10_000);
        vm.startPrank(poster);
        expectInsolvent(0, TOTAL);
        registry.fundTask(taskId, TOTAL);
        expectInsolvent(held, held + 1);
        deposits.topUp(1);
    }

    function expectInsolvent(uint256 received, uint256 required) private {
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.Insolvent.selector, received, required));
    }
}
