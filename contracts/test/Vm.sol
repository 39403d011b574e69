// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @notice The cheatcodes our tests use, as Hardhat's EVM and forge both answer them.
interface Vm {
    struct Log {
        bytes32[] topics;
        bytes data;
        address emitter;
    }

    // Time, blocks and chain. Read time through getBlockTimestamp after a warp: the optimizer may keep an older
    // block.timestamp, since within one transaction it never changes outside of tests.
    function warp(uint256 newTimestamp) external;
    function roll(uint256 newHeight) external;
    function fee(uint256 newBasefee) external;
    function chainId(uint256 newChainId) external;
    function getBlockTimestamp() external view returns (uint256 timestamp);

    // Who calls.
    function prank(address sender) external;
    function startPrank(address sender) external;
    function stopPrank() external;

    // State.
    function deal(address account, uint256 newBalance) external;
    function etch(address target, bytes calldata newRuntimeBytecode) external;
    function load(address target, bytes32 slot) external view returns (bytes32 data);
    function store(address target, bytes32 slot, bytes32 value) external;
    function getNonce(address account) external view returns (uint64 nonce);
    function snapshotState() external returns (uint256 snapshotId);
    function revertToState(uint256 snapshotId) external returns (bool success);

    // Storage accesses of one contract between record and accesses.
    function record() external;
    function accesses(address target) external returns (bytes32[] memory readSlots, bytes32[] memory writeSlots);

    // Expectations on the next call.
    function expectRevert() external;
    function expectRevert(bytes4 revertSelector) external;
    function expectRevert(bytes calldata revertData) external;
    function expectEmit(address emitter) external;

    // Mocks.
    function mockCall(address callee, bytes calldata data, bytes calldata returnData) external;
    function mockCallRevert(address callee, bytes calldata data, bytes calldata revertData) external;
    function clearMockedCalls() external;

    // Logs.
    function recordLogs() external;
    function getRecordedLogs() external returns (Log[] memory logs);

    // Keys and names.
    function addr(uint256 privateKey) external pure returns (address keyAddress);
    function sign(uint256 privateKey, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
    function computeCreateAddress(address deployer, uint256 nonce) external pure returns (address created);
    function label(address account, string calldata newLabel) external;

    // Flow.
    function assume(bool condition) external pure;

    // Files (below vectors only, see hardhat.config.ts), and JSON.
    function readFile(string calldata path) external view returns (string memory data);
    function keyExistsJson(string calldata json, string calldata key) external view returns (bool);
    function parseJsonUint(string calldata json, string calldata key) external pure returns (uint256);
    function parseJsonUintArray(string calldata json, string calldata key) external pure returns (uint256[] memory);
    function parseJsonAddress(string calldata json, string calldata key) external pure returns (address);
    function parseJsonString(string calldata json, string calldata key) external pure returns (string memory);
    function parseJsonBytes32(string calldata json, string calldata key) external pure returns (bytes32);

    // Text.
    function toString(address value) external pure returns (string memory text);
    function toString(uint256 value) external pure returns (string memory text);
    function toString(bytes calldata value) external pure returns (string memory text);

    // Assertions: they revert with both sides printed.
    function assertTrue(bool condition) external pure;
    function assertTrue(bool condition, string calldata reason) external pure;
    function assertFalse(bool condition) external pure;
    function assertFalse(bool condition, string calldata reason) external pure;
    function assertEq(bool left, bool right) external pure;
    function assertEq(bool left, bool right, string calldata reason) external pure;
    function assertEq(uint256 left, uint256 right) external pure;
    function assertEq(uint256 left, uint256 right, string calldata reason) external pure;
    function assertEq(int256 left, int256 right) external pure;
    function assertEq(int256 left, int256 right, string calldata reason) external pure;
    function assertEq(address left, address right) external pure;
    function assertEq(address left, address right, string calldata reason) external pure;
    function assertEq(bytes32 left, bytes32 right) external pure;
    function assertEq(bytes32 left, bytes32 right, string calldata reason) external pure;
    function assertEq(string calldata left, string calldata right) external pure;
    function assertEq(string calldata left, string calldata right, string calldata reason) external pure;
    function assertEq(bytes calldata left, bytes calldata right) external pure;
    function assertEq(bytes calldata left, bytes calldata right, string calldata reason) external pure;
    function assertEq(uint256[] calldata left, uint256[] calldata right) external pure;
    function assertEq(address[] calldata left, address[] calldata right) external pure;
    function assertEq(bytes32[] calldata left, bytes32[] calldata right) external pure;
    function assertLt(uint256 left, uint256 right) external pure;
    function assertLt(uint256 left, uint256 right, string calldata reason) external pure;
    function assertLe(uint256 left, uint256 right) external pure;
    function assertLe(uint256 left, uint256 right, string calldata reason) external pure;
    function assertGt(uint256 left, uint256 right) external pure;
    function assertGt(uint256 left, uint256 right, string calldata reason) external pure;
    function assertGe(uint256 left, uint256 right) external pure;
    function assertGe(uint256 left, uint256 right, string calldata reason) external pure;
    function assertApproxEqAbs(uint256 left, uint256 right, uint256 maxDelta) external pure;
    function assertApproxEqAbs(uint256 left, uint256 right, uint256 maxDelta, string calldata reason) external pure;

    function getCode(string calldata artifact) external view returns (bytes memory);
}
