// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SigningWallet} from "../mocks/SigningWallet.sol";
import {ITestUsdc} from "./ITestUsdc.sol";
import {UsdcTest} from "./UsdcTest.sol";

/// @dev EIP-3009: transferWithAuthorization, receiveWithAuthorization, cancelAuthorization
///   transfer: anyone may submit it, with v, r, s and with bytes; the money moves once and the nonce is spent
///   receive: the payee alone may submit it; its signature is no transfer's and the other way round
///   refused: at or before validAfter, at or after validBefore, a nonce spent or cancelled, anything changed in it,
///            another signer, a payer that holds too little (and then the nonce stays good)
///   cancel: the payer's signed word spends the nonce; refused for a spent one and for another signer
///   a wallet contract signs by ERC-1271
contract UsdcAuthorizationsTest is UsdcTest {
    bytes32 private constant TRANSFER = keccak256(
        "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 private constant RECEIVE = keccak256(
        "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 private constant CANCEL = keccak256("CancelAuthorization(address authorizer,bytes32 nonce)");
    bytes32 private constant NONCE = keccak256("nonce");
    uint256 private constant AMOUNT = 10e6;
    uint256 private constant AFTER = NOW - 1;
    uint256 private constant BEFORE = NOW + 1;

    function test_transfer_movesTheMoneyForAnyoneWithASplitSignature() public {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(payerKey, digestFor(TRANSFER, payer, NONCE));
        vm.expectEmit(CANONICAL);
        emit ITestUsdc.AuthorizationUsed(payer, NONCE);
        vm.expectEmit(CANONICAL);
        emit IERC20.Transfer(payer, payee, AMOUNT);
        vm.prank(relayer);
        usdc.transferWithAuthorization(payer, payee, AMOUNT, AFTER, BEFORE, NONCE, v, r, s);
        assertPaid(payer, AMOUNT);
        assertTrue(usdc.authorizationState(payer, NONCE));
    }

    function test_transfer_movesTheMoneyForAnyoneWithBytes() public {
        bytes memory signature = signed(TRANSFER);
        vm.expectEmit(CANONICAL);
        emit ITestUsdc.AuthorizationUsed(payer, NONCE);
        vm.expectEmit(CANONICAL);
        emit IERC20.Transfer(payer, payee, AMOUNT);
        vm.prank(relayer);
        usdc.transferWithAuthorization(payer, payee, AMOUNT, AFTER, BEFORE, NONCE, signature);
        assertPaid(payer, AMOUNT);
        assertTrue(usdc.authorizationState(payer, NONCE));
    }

    function test_transfer_reverts_outsideItsTime() public {
        bytes memory signature = signed(TRANSFER);
        vm.warp(AFTER);
        vm.expectRevert(abi.encodeWithSelector(ITestUsdc.AuthorizationNotYetValid.selector, AFTER));
        transfer(signature);
        vm.warp(BEFORE);
        vm.expectRevert(abi.encodeWithSelector(ITestUsdc.AuthorizationExpired.selector, BEFORE));
        transfer(signature);
        assertPaid(payer, 0);
    }

    function test_transfer_reverts_theSecondTimeInEitherForm() public {
        transfer(signed(TRANSFER));
        vm.expectRevert(abi.encodeWithSelector(ITestUsdc.AuthorizationSpent.selector, NONCE));
        transfer(signed(TRANSFER));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(payerKey, digestFor(TRANSFER, payer, NONCE));
        vm.expectRevert(abi.encodeWithSelector(ITestUsdc.AuthorizationSpent.selector, NONCE));
        usdc.transferWithAuthorization(payer, payee, AMOUNT, AFTER, BEFORE, NONCE, v, r, s);
        assertPaid(payer, AMOUNT);
    }

    function test_transfer_reverts_whenAnythingWasChangedOrAnotherSigned() public {
        bytes memory signature = signed(TRANSFER);
        (, uint256 otherKey) = makeAddrAndKey("other");
        expectBadSignature(payer);
        usdc.transferWithAuthorization(payer, relayer, AMOUNT, AFTER, BEFORE, NONCE, signature);
        expectBadSignature(payer);
        usdc.transferWithAuthorization(payer, payee, AMOUNT + 1, AFTER, BEFORE, NONCE, signature);
        expectBadSignature(payer);
        usdc.transferWithAuthorization(payer, payee, AMOUNT, AFTER - 1, BEFORE, NONCE, signature);
        expectBadSignature(payer);
        usdc.transferWithAuthorization(payer, payee, AMOUNT, AFTER, BEFORE + 1, NONCE, signature);
        expectBadSignature(payer);
        usdc.transferWithAuthorization(payer, payee, AMOUNT, AFTER, BEFORE, keccak256("another"), signature);
        expectBadSignature(relayer);
        usdc.transferWithAuthorization(relayer, payee, AMOUNT, AFTER, BEFORE, NONCE, signature);
        expectBadSignature(payer);
        transfer(signWith(otherKey, digestFor(TRANSFER, payer, NONCE)));
        expectBadSignature(payer);
        transfer("");
        assertPaid(payer, 0);
        assertFalse(usdc.authorizationState(payer, NONCE), "nonce");
    }

    function test_transfer_reverts_onAnotherChain() public {
        bytes memory signature = signed(TRANSFER);
        vm.chainId(1);
        expectBadSignature(payer);
        transfer(signature);
    }

    function test_transfer_reverts_withoutTheMoneyAndKeepsTheNonce() public {
        vm.prank(payer);
        usdc.transfer(relayer, 90e6 + 1);
        vm.expectRevert(
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, payer, AMOUNT - 1, AMOUNT)
        );
        transfer(signed(TRANSFER));
        assertFalse(usdc.authorizationState(payer, NONCE), "nonce");
        usdc.mint(payer, 1);
        transfer(signed(TRANSFER));
        assertEq(usdc.balanceOf(payee), AMOUNT);
    }

    function test_transfer_ofAWalletContractIsSignedByItsKey() public {
        address wallet = address(new SigningWallet(payer));
        usdc.mint(wallet, 100e6);
        bytes memory signature = signWith(payerKey, digestFor(TRANSFER, wallet, NONCE));
        usdc.transferWithAuthorization(wallet, payee, AMOUNT, AFTER, BEFORE, NONCE, signature);
        assertPaid(wallet, AMOUNT);
    }

    function test_receive_movesTheMoneyForThePayeeInBothForms() public {
        vm.startPrank(payee);
        vm.expectEmit(CANONICAL);
        emit ITestUsdc.AuthorizationUsed(payer, NONCE);
        vm.expectEmit(CANONICAL);
        emit IERC20.Transfer(payer, payee, AMOUNT);
        usdc.receiveWithAuthorization(payer, payee, AMOUNT, AFTER, BEFORE, NONCE, signed(RECEIVE));
        assertPaid(payer, AMOUNT);

        bytes32 second = keccak256("second");
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(payerKey, digestFor(RECEIVE, payer, second));
        vm.expectEmit(CANONICAL);
        emit ITestUsdc.AuthorizationUsed(payer, second);
        usdc.receiveWithAuthorization(payer, payee, AMOUNT, AFTER, BEFORE, second, v, r, s);
        assertPaid(payer, 2 * AMOUNT);
    }

    function test_receive_reverts_forAnyoneButThePayee() public {
        bytes memory signature = signed(RECEIVE);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(payerKey, digestFor(RECEIVE, payer, NONCE));
        vm.startPrank(relayer);
        vm.expectRevert(abi.encodeWithSelector(ITestUsdc.CallerIsNotPayee.selector, relayer));
        usdc.receiveWithAuthorization(payer, payee, AMOUNT, AFTER, BEFORE, NONCE, signature);
        vm.expectRevert(abi.encodeWithSelector(ITestUsdc.CallerIsNotPayee.selector, relayer));
        usdc.receiveWithAuthorization(payer, payee, AMOUNT, AFTER, BEFORE, NONCE, v, r, s);
    }

    function test_oneKindOfAuthorizationIsNotTheOther() public {
        expectBadSignature(payer);
        transfer(signed(RECEIVE));
        bytes memory signature = signed(TRANSFER);
        vm.prank(payee);
        expectBadSignature(payer);
        usdc.receiveWithAuthorization(payer, payee, AMOUNT, AFTER, BEFORE, NONCE, signature);
        assertPaid(payer, 0);
    }

    function test_cancel_spendsTheNonce() public {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(payerKey, digestOf(keccak256(abi.encode(CANCEL, payer, NONCE))));
        vm.expectEmit(CANONICAL);
        emit ITestUsdc.AuthorizationCanceled(payer, NONCE);
        vm.prank(relayer);
        usdc.cancelAuthorization(payer, NONCE, v, r, s);
        assertTrue(usdc.authorizationState(payer, NONCE));
        vm.expectRevert(abi.encodeWithSelector(ITestUsdc.AuthorizationSpent.selector, NONCE));
        transfer(signed(TRANSFER));
        vm.expectRevert(abi.encodeWithSelector(ITestUsdc.AuthorizationSpent.selector, NONCE));
        usdc.cancelAuthorization(payer, NONCE, v, r, s);
    }

    function test_cancel_reverts_whenAnotherSigned() public {
        (, uint256 otherKey) = makeAddrAndKey("other");
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(otherKey, digestOf(keccak256(abi.encode(CANCEL, payer, NONCE))));
        expectBadSignature(payer);
        usdc.cancelAuthorization(payer, NONCE, v, r, s);
        assertFalse(usdc.authorizationState(payer, NONCE));
    }

    function testFuzz_transfer_worksExactlyInsideItsTime(uint64 validAfter, uint64 validBefore, uint64 moment) public {
        bytes32 structHash = keccak256(abi.encode(TRANSFER, payer, payee, AMOUNT, validAfter, validBefore, NONCE));
        bytes memory signature = signWith(payerKey, digestOf(structHash));
        vm.warp(moment);
        if (moment <= validAfter) {
            vm.expectRevert(abi.encodeWithSelector(ITestUsdc.AuthorizationNotYetValid.selector, validAfter));
        } else if (moment >= validBefore) {
            vm.expectRevert(abi.encodeWithSelector(ITestUsdc.AuthorizationExpired.selector, validBefore));
        }
        usdc.transferWithAuthorization(payer, payee, AMOUNT, validAfter, validBefore, NONCE, signature);
        assertPaid(payer, moment > validAfter && moment < validBefore ? AMOUNT : 0);
    }

    function transfer(bytes memory signature) private {
        usdc.transferWithAuthorization(payer, payee, AMOUNT, AFTER, BEFORE, NONCE, signature);
    }

    function signed(bytes32 typeHash) private view returns (bytes memory) {
        return signWith(payerKey, digestFor(typeHash, payer, NONCE));
    }

    function digestFor(bytes32 typeHash, address from, bytes32 nonce) private view returns (bytes32) {
        return digestOf(keccak256(abi.encode(typeHash, from, payee, AMOUNT, AFTER, BEFORE, nonce)));
    }

    function expectBadSignature(address signer) private {
        vm.expectRevert(abi.encodeWithSelector(ITestUsdc.InvalidUsdcSignature.selector, signer));
    }

    function assertPaid(address from, uint256 amount) private view {
        assertEq(usdc.balanceOf(from), 100e6 - amount, "payer");
        assertEq(usdc.balanceOf(payee), amount, "payee");
    }
}
