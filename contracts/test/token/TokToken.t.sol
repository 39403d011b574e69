// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {MarketTest} from "../MarketTest.sol";

/// @dev TokToken
///   the whole supply is minted once, to the holder; more than 96 bits are refused, exactly that is taken
///   a transfer moves all it says, also to itself and of nothing
///   burn: of one's own, within the balance; the supply falls
///   permit: gives the allowance signed for; refused when expired, used before, or signed by or for another
contract TokTokenTest is MarketTest {
    bytes32 private constant PERMIT_TYPEHASH = keccak256(
        "Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)"
    );

    error SupplyTooLarge(uint256 supply);

    function test_theSupplyIsTheHoldersFromTheStart() public {
        vm.expectEmit(vm.computeCreateAddress(address(this), vm.getNonce(address(this))));
        emit IERC20.Transfer(address(0), stranger, 5);
        IERC20Metadata small = IERC20Metadata(deploy("TokToken", abi.encode(stranger, 5)));
        assertEq(small.totalSupply(), 5);
        assertEq(small.balanceOf(stranger), 5);
        assertEq(small.name(), "Tok");
        assertEq(small.symbol(), "TOK");
        assertEq(small.decimals(), 18);
    }

    function test_reverts_whenTheSupplyLeaves96Bits() public {
        uint256 largest = type(uint96).max;
        assertEq(IERC20(deploy("TokToken", abi.encode(stranger, largest))).totalSupply(), largest);
        bytes memory code = bytes.concat(vm.getCode("TokToken.sol:TokToken"), abi.encode(stranger, largest + 1));
        bytes memory answer = new bytes(36);
        assembly ("memory-safe") {
            if create(0, add(code, 0x20), mload(code)) {
                invalid()
            }
            if iszero(eq(returndatasize(), 36)) {
                invalid()
            }
            returndatacopy(add(answer, 0x20), 0, 36)
        }
        assertEq(answer, abi.encodeWithSelector(SupplyTooLarge.selector, largest + 1));
    }

    function test_nobodyCanMint() public {
        (bool success, ) = address(tok).call(abi.encodeWithSignature("mint(address,uint256)", address(this), 1));
        assertFalse(success);
    }

    function test_burn_takesFromTheCallerAndTheSupply() public {
        uint256 supply = tok.totalSupply();
        uint256 before = tok.balanceOf(poster);
        vm.expectEmit(address(tok));
        emit IERC20.Transfer(poster, address(0), 7e18);
        vm.prank(poster);
        tok.burn(7e18);
        assertEq(tok.balanceOf(poster), before - 7e18);
        assertEq(tok.totalSupply(), supply - 7e18);
    }

    function test_burn_reverts_oneWeiAboveTheBalance() public {
        uint256 balance = tok.balanceOf(poster);
        vm.prank(poster);
        vm.expectRevert(
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, poster, balance, balance + 1)
        );
        tok.burn(balance + 1);
    }

    function test_permit_givesTheAllowanceSignedFor() public {
        (uint8 v, bytes32 r, bytes32 s) = signPermit(posterKey, poster, 42e18, 0, START);
        vm.expectEmit(address(tok));
        emit IERC20.Approval(poster, stranger, 42e18);
        tok.permit(poster, stranger, 42e18, START, v, r, s);
        assertEq(tok.allowance(poster, stranger), 42e18);
        assertEq(tok.nonces(poster), 1);
        vm.prank(stranger);
        tok.transferFrom(poster, stranger, 42e18);
        assertEq(tok.balanceOf(stranger), 42e18);
    }

    function test_permit_reverts_aSecondAfterItsDeadline() public {
        (uint8 v, bytes32 r, bytes32 s) = signPermit(posterKey, poster, 42e18, 0, START);
        skip(1);
        vm.expectRevert(abi.encodeWithSelector(ERC20Permit.ERC2612ExpiredSignature.selector, START));
        tok.permit(poster, stranger, 42e18, START, v, r, s);
    }

    function test_permit_reverts_theSecondTime() public {
        (uint8 v, bytes32 r, bytes32 s) = signPermit(posterKey, poster, 42e18, 0, START);
        tok.permit(poster, stranger, 42e18, START, v, r, s);
        address mistaken = ecrecover(permitDigest(poster, 42e18, 1, START), v, r, s);
        vm.expectRevert(abi.encodeWithSelector(ERC20Permit.ERC2612InvalidSigner.selector, mistaken, poster));
        tok.permit(poster, stranger, 42e18, START, v, r, s);
    }

    function test_permit_reverts_whenAnotherSignedIt() public {
        (uint8 v, bytes32 r, bytes32 s) = signPermit(workerKey, poster, 42e18, 0, START);
        vm.expectRevert(abi.encodeWithSelector(ERC20Permit.ERC2612InvalidSigner.selector, worker, poster));
        tok.permit(poster, stranger, 42e18, START, v, r, s);
    }

    function test_permit_ofAnotherChainIsWorthless() public {
        (uint8 v, bytes32 r, bytes32 s) = signPermit(posterKey, poster, 42e18, 0, START);
        vm.chainId(1);
        address mistaken = ecrecover(permitDigest(poster, 42e18, 0, START), v, r, s);
        vm.expectRevert(abi.encodeWithSelector(ERC20Permit.ERC2612InvalidSigner.selector, mistaken, poster));
        tok.permit(poster, stranger, 42e18, START, v, r, s);
    }

    function testFuzz_aTransferMovesExactlyWhatItSays(uint256 amount, bool toItself) public {
        uint256 before = tok.balanceOf(poster);
        uint256 supply = tok.totalSupply();
        amount = bound(amount, 0, before);
        address to = toItself ? poster : stranger;
        vm.expectEmit(address(tok));
        emit IERC20.Transfer(poster, to, amount);
        vm.prank(poster);
        assertTrue(tok.transfer(to, amount));
        assertEq(tok.balanceOf(poster), toItself ? before : before - amount, "sender");
        assertEq(tok.balanceOf(stranger), toItself ? 0 : amount, "recipient");
        assertEq(tok.totalSupply(), supply, "supply");
    }

    function signPermit(
        uint256 key,
        address holder,
        uint256 value,
        uint256 nonce,
        uint256 deadline
    ) private view returns (uint8 v, bytes32 r, bytes32 s) {
        return vm.sign(key, permitDigest(holder, value, nonce, deadline));
    }

    function permitDigest(
        address holder,
        uint256 value,
        uint256 nonce,
        uint256 deadline
    ) private view returns (bytes32) {
        bytes32 structHash = keccak256(abi.encode(PERMIT_TYPEHASH, holder, stranger, value, nonce, deadline));
        return keccak256(abi.encodePacked(hex"1901", tok.DOMAIN_SEPARATOR(), structHash));
    }
}
