// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Vm} from "./Vm.sol";

/// @dev How often an event stands in recorded logs; a test that expects silence asks for 0.
function countOf(Vm.Log[] memory logs, bytes32 eventTopic) pure returns (uint256 count) {
    for (uint256 index = 0; index < logs.length; ++index) {
        if (logs[index].topics[0] == eventTopic) ++count;
    }
}
