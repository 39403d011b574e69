// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {TestUsdc} from "../../local/TestUsdc.sol";
import {Test} from "../Test.sol";

/// @dev The test USDC at its canonical address, as the embedded chain places it: code alone, no constructor run
///   permit (EIP-2612), with v, r, s and with bytes: gives the allowance signed for, once
///         refused when used, when another signed it, when anything in it was changed
///   transfer (EIP-3009): anyone may submit it, with v, r, s and with bytes; the money moves once, the nonce is spent
///   receive: the payee alone may submit it
///   refused: at or before validAfter, at or after validBefore, a nonce spent or cancelled, anything changed in it,
///            another signer
///   cancel: the payer's signed word spends the nonce; refused for a spent one
contract TestUsdcTest is Test {
    address private constant CANONICAL = 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913;
    uint256 private constant NOW = 1_780_000_000;
    TestUsdc private constant usdc = TestUsdc(CANONICAL);
    bytes32 private constant PERMIT_TYPEHASH = keccak256(
        "Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)"
    );
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

    address private payer;
    uint256 private payerKey;
    address private payee = makeAddr("payee");
    address private relayer = makeAddr("relayer");

    function setUp() public {
        vm.chainId(8453);
        vm.warp(NOW);
        vm.etch(CANONICAL, address(new TestUsdc()).code);
        (payer, payerKey) = makeAddrAndKey("payer");
        usdc.mint(payer, 100e6);
    }

    /// @dev As any client of the real USDC computes it, without asking the contract.
    function digestOf(bytes32 structHash) private view returns (bytes32) {
        bytes32 separator = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("USD Coin"),
                keccak256("2"),
                block.chainid,
                CANONICAL
            )
        );
        return keccak256(abi.encodePacked(hex"1901", separator, structHash));
    }

    function test_permit_givesTheAllowanceSignedForInBothForms() public {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(payerKey, permitDigest(payer, 7e6, 0));
        vm.expectEmit(CANONICAL);
        emit IERC20.Approval(payer, payee, 7e6);
        usdc.permit(payer, payee, 7e6, NOW, v, r, s);
        assertEq(usdc.allowance(payer, payee), 7e6);
        assertEq(usdc.nonces(payer), 1);

        bytes memory signature = signWith(payerKey, permitDigest(payer, 9e6, 1));
        usdc.permit(payer, payee, 9e6, NOW, signature);
        assertEq(usdc.allowance(payer, payee), 9e6);
        expectBadSignature(payer);
        usdc.permit(payer, payee, 9e6, NOW, signature);
    }

    function permitDigest(address holder, uint256 value, uint256 nonce) private view returns (bytes32) {
        return digestOf(keccak256(abi.encode(PERMIT_TYPEHASH, holder, payee, value, nonce, NOW)));
    }

    function expectBadSignature(address signer) private {
        vm.expectRevert(abi.encodeWithSelector(TestUsdc.InvalidUsdcSignature.selector, signer));
    }

    function test_transfer_movesTheMoneyForAnyoneWithASplitSignature() public {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(payerKey, digestFor(TRANSFER, payer, NONCE));
        vm.expectEmit(CANONICAL);
        emit TestUsdc.AuthorizationUsed(payer, NONCE);
        vm.expectEmit(CANONICAL);
        emit IERC20.Transfer(payer, payee, AMOUNT);
        vm.prank(relayer);
        usdc.transferWithAuthorization(payer, payee, AMOUNT, AFTER, BEFORE, NONCE, v, r, s);
        assertPaid(payer, AMOUNT);
        assertTrue(usdc.authorizationState(payer, NONCE));
        vm.expectRevert(abi.encodeWithSelector(TestUsdc.AuthorizationSpent.selector, NONCE));
        transfer(signed(TRANSFER));
        vm.expectRevert(abi.encodeWithSelector(TestUsdc.AuthorizationSpent.selector, NONCE));
        usdc.transferWithAuthorization(payer, payee, AMOUNT, AFTER, BEFORE, NONCE, v, r, s);
    }

    function test_transfer_reverts_whenAnythingWasChangedOrAnotherSigned() public {
        bytes memory signature = signed(TRANSFER);
        (, uint256 otherKey) = makeAddrAndKey("other");
        expectBadSignature(payer);
        usdc.transferWithAuthorization(payer, relayer, AMOUNT, AFTER, BEFORE, NONCE, signature);
        expectBadSignature(payer);
        usdc.transferWithAuthorization(payer, payee, AMOUNT + 1, AFTER, BEFORE, NONCE, signature);
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

    function test_receive_movesTheMoneyForThePayeeInBothForms() public {
        vm.startPrank(payee);
        vm.expectEmit(CANONICAL);
        emit TestUsdc.AuthorizationUsed(payer, NONCE);
        vm.expectEmit(CANONICAL);
        emit IERC20.Transfer(payer, payee, AMOUNT);
        usdc.receiveWithAuthorization(payer, payee, AMOUNT, AFTER, BEFORE, NONCE, signed(RECEIVE));
        assertPaid(payer, AMOUNT);

        bytes32 second = keccak256("second");
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(payerKey, digestFor(RECEIVE, payer, second));
        vm.expectEmit(CANONICAL);
        emit TestUsdc.AuthorizationUsed(payer, second);
        usdc.receiveWithAuthorization(payer, payee, AMOUNT, AFTER, BEFORE, second, v, r, s);
        assertPaid(payer, 2 * AMOUNT);
    }

    function test_receive_reverts_forAnyoneButThePayee() public {
        bytes memory signature = signed(RECEIVE);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(payerKey, digestFor(RECEIVE, payer, NONCE));
        vm.startPrank(relayer);
        vm.expectRevert(abi.encodeWithSelector(TestUsdc.CallerIsNotPayee.selector, relayer));
        usdc.receiveWithAuthorization(payer, payee, AMOUNT, AFTER, BEFORE, NONCE, signature);
        vm.expectRevert(abi.encodeWithSelector(TestUsdc.CallerIsNotPayee.selector, relayer));
        usdc.receiveWithAuthorization(payer, payee, AMOUNT, AFTER, BEFORE, NONCE, v, r, s);
    }

    function test_cancel_spendsTheNonce() public {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(payerKey, digestOf(keccak256(abi.encode(CANCEL, payer, NONCE))));
        vm.expectEmit(CANONICAL);
        emit TestUsdc.AuthorizationCanceled(payer, NONCE);
        vm.prank(relayer);
        usdc.cancelAuthorization(payer, NONCE, v, r, s);
        assertTrue(usdc.authorizationState(payer, NONCE));
        vm.expectRevert(abi.encodeWithSelector(TestUsdc.AuthorizationSpent.selector, NONCE));
        transfer(signed(TRANSFER));
        vm.expectRevert(abi.encodeWithSelector(TestUsdc.AuthorizationSpent.selector, NONCE));
        usdc.cancelAuthorization(payer, NONCE, v, r, s);
    }

    function testFuzz_transfer_worksExactlyInsideItsTime(uint64 validAfter, uint64 validBefore, uint64 moment) public {
        bytes32 structHash = keccak256(abi.encode(TRANSFER, payer, payee, AMOUNT, validAfter, validBefore, NONCE));
        bytes memory signature = signWith(payerKey, digestOf(structHash));
        vm.warp(moment);
        if (moment <= validAfter) {
            vm.expectRevert(abi.encodeWithSelector(TestUsdc.AuthorizationNotYetValid.selector, validAfter));
        } else if (moment >= validBefore) {
            vm.expectRevert(abi.encodeWithSelector(TestUsdc.AuthorizationExpired.selector, validBefore));
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

    function assertPaid(address from, uint256 amount) private view {
        assertEq(usdc.balanceOf(from), 100e6 - amount, "payer");
        assertEq(usdc.balanceOf(payee), amount, "payee");
    }
}
