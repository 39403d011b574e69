// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @notice The registry's public constants and immutables, which no other contract needs and no interface names.
interface IRegistryGetters {
    function ACTIVATION_WINDOW() external view returns (uint64);
    function DELIVERY_GRACE() external view returns (uint64);
    function DISMISS_NOTICE() external view returns (uint64);
    function MAX_DURATION() external view returns (uint64);
    function MAX_MILESTONES() external view returns (uint8);
    function MIN_REVIEW() external view returns (uint32);
    function MAX_REVIEW() external view returns (uint32);
    function TERMS_TYPEHASH() external view returns (bytes32);
    function SETTLE_TYPEHASH() external view returns (bytes32);
    function court() external view returns (address);
    function deposits() external view returns (address);
    function escrow() external view returns (address);
    function paymentGateway() external view returns (address);
    function reputation() external view returns (address);
}
