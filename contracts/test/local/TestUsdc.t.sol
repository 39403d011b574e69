// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SigningWallet} from "../mocks/SigningWallet.sol";
import {ITestUsdc} from "./ITestUsdc.sol";
import {UsdcTest} from "./UsdcTest.sol";

/// @dev The token itself and EIP-2612; EIP-3009 stands in UsdcAuthorizations.t.sol
///   placed by code alone it still has its name, symbol, decimals, version and its own domain
///   mint: anyone, any amount
///   permit, with v, r, s and with bytes: gives the allowance signed for, until its deadline, once
///         refused a second later, when used, when another signed it, when anything in it was changed
///         a wallet contract signs by ERC-1271
contract TestUsdcTest is UsdcTest {
    bytes32 private constant PERMIT_TYPEHASH = keccak256(
        "Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)"
    );

    function test_codeWithoutAConstructorKnowsWhatItIs() public view {
        assertEq(usdc.name(), "USD Coin");
        assertEq(usdc.symbol(), "USDC");
        assertEq(usdc.decimals(), 6);
        assertEq(usdc.version(), "2");
        assertEq(usdc.totalSupply(), 100e6);
        assertEq(digestOf(bytes32(0)), keccak256(abi.encodePacked(hex"1901", usdc.DOMAIN_SEPARATOR(), bytes32(0))));
    }

    function test_theDomainFollowsTheChain() public {
        bytes32 before = usdc.DOMAIN_SEPARATOR();
        vm.chainId(1);
        assertNotEq(usdc.DOMAIN_SEPARATOR(), before);
        assertEq(digestOf(bytes32(0)), keccak256(abi.encodePacked(hex"1901", usdc.DOMAIN_SEPARATOR(), bytes32(0))));
    }

    function test_anyoneMints() public {
        vm.expectEmit(CANONICAL);
        emit IERC20.Transfer(address(0), payee, 5e6);
        vm.prank(relayer);
        usdc.mint(payee, 5e6);
        assertEq(usdc.balanceOf(payee), 5e6);
        assertEq(usdc.totalSupply(), 105e6);
    }

    function test_permit_givesTheAllowanceSignedForInBothForms() public {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(payerKey, permitDigest(payer, 7e6, 0));
        vm.expectEmit(CANONICAL);
        emit IERC20.Approval(payer, payee, 7e6);
        usdc.permit(payer, payee, 7e6, NOW, v, r, s);
        assertEq(usdc.allowance(payer, payee), 7e6);
        assertEq(usdc.nonces(payer), 1);

        usdc.permit(payer, payee, 9e6, NOW, signWith(payerKey, permitDigest(payer, 9e6, 1)));
        assertEq(usdc.allowance(payer, payee), 9e6);
        assertEq(usdc.nonces(payer), 2);
    }

    function test_permit_reverts_aSecondAfterItsDeadline() public {
        bytes memory signature = signWith(payerKey, permitDigest(payer, 7e6, 0));
        skip(1);
        vm.expectRevert(abi.encodeWithSelector(ITestUsdc.AuthorizationExpired.selector, NOW));
        usdc.permit(payer, payee, 7e6, NOW, signature);
    }

    function test_permit_reverts_theSecondTime() public {
        bytes memory signature = signWith(payerKey, permitDigest(payer, 7e6, 0));
        usdc.permit(payer, payee, 7e6, NOW, signature);
        expectBadSignature(payer);
        usdc.permit(payer, payee, 7e6, NOW, signature);
    }

    function test_permit_reverts_whenAnythingWasChangedOrAnotherSigned() public {
        (, uint256 otherKey) = makeAddrAndKey("other");
        bytes memory signature = signWith(payerKey, permitDigest(payer, 7e6, 0));
        expectBadSignature(payer);
        usdc.permit(payer, payee, 7e6 + 1, NOW, signature);
        expectBadSignature(payer);
        usdc.permit(payer, relayer, 7e6, NOW, signature);
        expectBadSignature(payer);
        usdc.permit(payer, payee, 7e6, NOW + 1, signature);
        expectBadSignature(payee);
        usdc.permit(payee, payee, 7e6, NOW, signature);
        expectBadSignature(payer);
        usdc.permit(payer, payee, 7e6, NOW, signWith(otherKey, permitDigest(payer, 7e6, 0)));
        expectBadSignature(payer);
        usdc.permit(payer, payee, 7e6, NOW, "");
        assertEq(usdc.nonces(payer), 0, "nonce");
    }

    function test_permit_ofAWalletContractIsSignedByItsKey() public {
        address wallet = address(new SigningWallet(payer));
        bytes32 digest = permitDigest(wallet, 7e6, 0);
        usdc.permit(wallet, payee, 7e6, NOW, signWith(payerKey, digest));
        assertEq(usdc.allowance(wallet, payee), 7e6);
    }

    function permitDigest(address holder, uint256 value, uint256 nonce) private view returns (bytes32) {
        return digestOf(keccak256(abi.encode(PERMIT_TYPEHASH, holder, payee, value, nonce, NOW)));
    }

    function expectBadSignature(address signer) private {
        vm.expectRevert(abi.encodeWithSelector(ITestUsdc.InvalidUsdcSignature.selector, signer));
    }
}
