// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @notice Multicall3 as its clients know it.
interface IMulticall3 {
    struct Call {
        address target;
        bytes callData;
    }

    struct Call3 {
        address target;
        bool allowFailure;
        bytes callData;
    }

    struct Call3Value {
        address target;
        bool allowFailure;
        uint256 value;
        bytes callData;
    }

    struct Result {
        bool success;
        bytes returnData;
    }

    error CallFailed(uint256 index, bytes returnData);
    error ValueMismatch(uint256 sent, uint256 used);

    function aggregate(Call[] calldata calls) external payable returns (uint256 blockNumber, bytes[] memory returnData);
    function aggregate3(Call3[] calldata calls) external payable returns (Result[] memory returnData);
    function aggregate3Value(Call3Value[] calldata calls) external payable returns (Result[] memory returnData);
    function blockAndAggregate(
        Call[] calldata calls
    ) external payable returns (uint256 blockNumber, bytes32 blockHash, Result[] memory returnData);
    function tryAggregate(
        bool requireSuccess,
        Call[] calldata calls
    ) external payable returns (Result[] memory returnData);
    function tryBlockAndAggregate(
        bool requireSuccess,
        Call[] calldata calls
    ) external payable returns (uint256 blockNumber, bytes32 blockHash, Result[] memory returnData);
    function getBasefee() external view returns (uint256);
    function getBlockHash(uint256 blockNumber) external view returns (bytes32);
    function getBlockNumber() external view returns (uint256);
    function getChainId() external view returns (uint256);
    function getCurrentBlockCoinbase() external view returns (address);
    function getCurrentBlockGasLimit() external view returns (uint256);
    function getCurrentBlockTimestamp() external view returns (uint256);
    function getEthBalance(address account) external view returns (uint256);
    function getLastBlockHash() external view returns (bytes32);
}
