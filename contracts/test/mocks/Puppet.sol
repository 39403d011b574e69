// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @notice An agent that performs any call on request and reports the result.
contract Puppet {
    function act(address target, bytes calldata call) external returns (bool success, bytes memory answer) {
        return target.call(call);
    }
}
