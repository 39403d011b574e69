// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Test} from "../Test.sol";
import {ITestUsdc} from "./ITestUsdc.sol";

/// @notice The test USDC at its canonical address, as the embedded chain places it: code alone, no constructor run.
abstract contract UsdcTest is Test {
    address internal constant CANONICAL = 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913;
    uint256 internal constant NOW = 1_780_000_000;
    ITestUsdc internal constant usdc = ITestUsdc(CANONICAL);

    address internal payer;
    uint256 internal payerKey;
    address internal payee = makeAddr("payee");
    address internal relayer = makeAddr("relayer");

    function setUp() public virtual {
        vm.chainId(8453);
        vm.warp(NOW);
        bytes memory creation = vm.getCode("TestUsdc.sol:TestUsdc");
        address elsewhere;
        assembly ("memory-safe") {
            elsewhere := create(0, add(creation, 0x20), mload(creation))
        }
        vm.etch(CANONICAL, elsewhere.code);
        (payer, payerKey) = makeAddrAndKey("payer");
        usdc.mint(payer, 100e6);
    }

    /// @dev As any client of the real USDC computes it, without asking the contract.
    function digestOf(bytes32 structHash) internal view returns (bytes32) {
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
}
