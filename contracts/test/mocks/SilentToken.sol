// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {MockToken} from "./MockToken.sol";

/// @notice A token of the old kind whose transfers answer nothing at all, once a test turns that on.
contract SilentToken is MockToken {
    bool private _silent;

    function setSilent(bool silent) external {
        _silent = silent;
    }

    function transfer(address to, uint256 value) public override returns (bool) {
        super.transfer(to, value);
        return answer();
    }

    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        super.transferFrom(from, to, value);
        return answer();
    }

    /// @dev Ends the whole call without data.
    function answer() private view returns (bool) {
        if (_silent) {
            assembly ("memory-safe") {
                return(0, 0)
            }
        }
        return true;
    }
}
