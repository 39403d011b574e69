// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import "../MarketTest.sol";

/// @dev TokToken
///   the whole supply is minted once, to the holder; more than 96 bits are refused, exactly that is taken
///   nobody can mint more; transfers, burns and permits are OpenZeppelin's
contract TokTokenTest is MarketTest {
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
}
