// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

// What the compiler's own checks revert with.

bytes constant ARITHMETIC_PANIC = abi.encodeWithSignature("Panic(uint256)", 0x11);
