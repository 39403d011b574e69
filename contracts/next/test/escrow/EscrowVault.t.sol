// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "../MarketTest.sol";

/// @dev fund, release, refundBeyond, refundAll, heldOf, ledgerOf
///   fund: pulls TOK from the payer through the gateway's allowance; refused when the payer cannot pay, or when all
///         that was ever funded leaves 96 bits
///   release: pays exactly; refused one wei above what the task holds, whatever other tasks hold
///   refundBeyond: gives back what is held above a figure, and the task goes on; at or below it nothing moves
///   refundAll: gives the rest back once; nothing held moves nothing and says nothing
///   the four ledger figures stay apart, and tasks do not see each other's money
contract EscrowVaultTest is MarketTest {
    uint256 private constant TASK = 7;
    uint256 private constant OTHER_TASK = 8;
    address private payee = makeAddr("payee");

    function test_fund_takesTokFromThePayerAndTellsTheTotal() public {
        uint256 walletBefore = tok.balanceOf(poster);
        vm.startPrank(address(registry));
        vm.expectEmit(address(escrow));
        emit IEscrowVault.Funded(TASK, poster, 60e18, 60e18);
        assertEq(escrow.fund(TASK, poster, 60e18), 60e18);
        vm.expectEmit(address(escrow));
        emit IEscrowVault.Funded(TASK, poster, 40e18, 100e18);
        assertEq(escrow.fund(TASK, poster, 40e18), 100e18);
        assertLedger(TASK, 100e18, 0, 0);
        assertEq(escrow.heldOf(TASK), 100e18, "held");
        assertEq(tok.balanceOf(poster), walletBefore - 100e18, "payer's wallet");
        assertSolvent(100e18);
    }

    function test_fund_reverts_whenTheTotalLeaves96Bits() public {
        fund(TASK, 1);
        vm.prank(address(registry));
        vm.expectRevert(beyond96Bits(1 + uint256(type(uint96).max)));
        escrow.fund(TASK, poster, type(uint96).max);
    }

    function test_release_paysTheWorkerAndTellsTheTotal() public {
        fund(TASK, 100e18);
        vm.startPrank(address(registry));
        expectReleaseLog(TASK, payee, 30e18, 30e18);
        escrow.release(TASK, payee, 30e18);
        expectReleaseLog(TASK, payee, 70e18, 100e18);
        escrow.release(TASK, payee, 70e18);
        assertLedger(TASK, 100e18, 100e18, 0);
        assertEq(tok.balanceOf(payee), 100e18, "worker's wallet");
        assertSolvent(0);
    }

    function test_paymentsRevert_oneWeiAboveWhatTheTaskHolds() public {
        fund(TASK, 100e18);
        fund(OTHER_TASK, 500e18);
        bytes memory exceeds = abi.encodeWithSelector(IEscrowVault.ExceedsHeld.selector, 100e18, 100e18 + 1);
        vm.startPrank(address(registry));
        vm.expectRevert(exceeds);
        escrow.release(TASK, payee, 100e18 + 1);
    }

    function test_refundBeyond_givesBackWhatIsAboveTheFigureAndTheTaskGoesOn() public {
        fund(TASK, 100e18);
        fund(OTHER_TASK, 500e18);
        vm.startPrank(address(registry));
        escrow.release(TASK, worker, 30e18);
        expectRefundLog(TASK, payee, 50e18);
        assertEq(escrow.refundBeyond(TASK, payee, 20e18), 50e18);
        assertLedger(TASK, 100e18, 30e18, 50e18);
        assertEq(escrow.heldOf(TASK), 20e18, "held");
        assertEq(tok.balanceOf(payee), 50e18, "poster's wallet");
        assertSolvent(520e18);

        escrow.release(TASK, worker, 4e18);
        assertEq(escrow.refundAll(TASK, payee), 16e18);
        assertLedger(TASK, 100e18, 34e18, 66e18);
        assertEq(tok.balanceOf(payee), 66e18, "poster's wallet at the end");
        assertSolvent(500e18);
    }

    function test_refundBeyond_movesNothingWhenNoMoreIsHeld() public {
        fund(TASK, 100e18);
        uint96[2] memory kept = [uint96(100e18), 100e18 + 1];
        for (uint256 index = 0; index < kept.length; ++index) {
            vm.recordLogs();
            vm.prank(address(registry));
            assertEq(escrow.refundBeyond(TASK, payee, kept[index]), 0);
            assertEq(vm.getRecordedLogs().length, 0, "logs");
        }
        assertLedger(TASK, 100e18, 0, 0);
        vm.prank(address(registry));
        assertEq(escrow.refundBeyond(TASK, payee, 100e18 - 1), 1, "one wei above");
        assertLedger(TASK, 100e18, 0, 1);
    }

    function testFuzz_refundBeyond_leavesExactlyWhatIsKept(uint96 funded, uint96 released, uint96 kept) public {
        funded = uint96(bound(funded, 1, 1_000_000e18));
        released = uint96(bound(released, 0, funded));
        fund(TASK, funded);
        vm.startPrank(address(registry));
        escrow.release(TASK, worker, released);
        uint96 heldBefore = escrow.heldOf(TASK);
        uint96 refunded = escrow.refundBeyond(TASK, payee, kept);
        assertEq(escrow.heldOf(TASK), kept < heldBefore ? kept : heldBefore, "held");
        assertEq(refunded, heldBefore - escrow.heldOf(TASK), "refunded");
        assertLedger(TASK, funded, released, refunded);
        assertSolvent(escrow.heldOf(TASK));
    }

    function test_refundAll_givesTheRestBackOnce() public {
        fund(TASK, 100e18);
        vm.startPrank(address(registry));
        escrow.release(TASK, worker, 30e18);
        expectRefundLog(TASK, payee, 70e18);
        assertEq(escrow.refundAll(TASK, payee), 70e18);
        assertLedger(TASK, 100e18, 30e18, 70e18);
        assertEq(tok.balanceOf(payee), 70e18, "poster's wallet");
        assertSolvent(0);

        vm.recordLogs();
        assertEq(escrow.refundAll(TASK, payee), 0);
        assertEq(vm.getRecordedLogs().length, 0, "logs");
        assertEq(tok.balanceOf(payee), 70e18, "poster's wallet after a second refund");
    }

    /// @dev The sum of all payments of two tasks never leaves what each was funded with.
    function testFuzz_paymentsStayWithinEachTasksMoney(uint96[2] memory funded, uint96[12] memory amounts) public {
        for (uint256 index = 0; index < 2; ++index) {
            funded[index] = uint96(bound(funded[index], 1, 1_000_000e18));
            fund(TASK + index, funded[index]);
        }
        for (uint256 index = 0; index < amounts.length; ++index) {
            uint256 taskId = TASK + (index % 2);
            uint96 heldBefore = escrow.heldOf(taskId);
            uint96 amount = uint96(bound(amounts[index], 0, uint256(heldBefore) * 2));
            vm.prank(address(registry));
            if (amount > heldBefore) {
                vm.expectRevert(abi.encodeWithSelector(IEscrowVault.ExceedsHeld.selector, heldBefore, amount));
            }
            escrow.release(taskId, payee, amount);
            assertEq(escrow.heldOf(taskId), amount > heldBefore ? heldBefore : heldBefore - amount, "held");
        }
        assertSolvent(uint256(escrow.heldOf(TASK)) + escrow.heldOf(OTHER_TASK));
        uint256 heldNow = uint256(escrow.heldOf(TASK)) + escrow.heldOf(OTHER_TASK);
        assertEq(tok.balanceOf(payee), uint256(funded[0]) + funded[1] - heldNow, "paid out");
    }

    function fund(uint256 taskId, uint96 amount) private {
        vm.prank(address(registry));
        escrow.fund(taskId, poster, amount);
    }

    function assertLedger(uint256 taskId, uint256 funded, uint256 released, uint256 refunded) private view {
        (uint96 isFunded, uint96 isReleased, uint96 isRefunded) = escrow.ledgerOf(taskId);
        assertEq(isFunded, funded, "funded");
        assertEq(isReleased, released, "released");
        assertEq(isRefunded, refunded, "refunded");
    }

    function assertSolvent(uint256 held) private view {
        assertEq(uint256(escrow.heldOf(TASK)) + escrow.heldOf(OTHER_TASK), held, "held for both tasks");
        assertEq(tok.balanceOf(address(escrow)), held, "TOK held");
    }
}
