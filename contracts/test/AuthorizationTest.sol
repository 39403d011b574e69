// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./MarketTest.sol";

/// @notice Tries a restricted function as everybody who may not call it.
abstract contract AuthorizationTest is MarketTest {
    /// @dev Every role and every contract of the market; each test takes out whom the function is meant for.
    function everyone() private view returns (address[19] memory) {
        return
            [
                owner,
                treasury,
                fallbackArbitrator,
                publisher,
                stranger,
                poster,
                worker,
                arbitrator,
                address(tok),
                address(usdc),
                address(feed),
                address(policy),
                address(gateway),
                address(deposits),
                address(escrow),
                address(registry),
                address(court),
                address(staking),
                address(reputation)
            ];
    }

    /// @dev Each caller must be answered with exactly `error(caller)`.
    function assertRefusedToAllBut(
        address[] memory allowed,
        address target,
        bytes memory call,
        bytes4 errorSelector
    ) internal {
        address[19] memory callers = everyone();
        uint256 refused;
        for (uint256 index = 0; index < callers.length; ++index) {
            if (contains(allowed, callers[index])) continue;
            vm.prank(callers[index]);
            (bool success, bytes memory answer) = target.call(call);
            assertFalse(success, "a restricted function answered a wrong caller");
            assertEq(answer, abi.encodeWithSelector(errorSelector, callers[index]));
            ++refused;
        }
        assertEq(refused, callers.length - allowed.length, "callers tried");
    }

    function assertRefusedToAllBut(address allowed, address target, bytes memory call, bytes4 errorSelector) internal {
        address[] memory only = new address[](1);
        only[0] = allowed;
        assertRefusedToAllBut(only, target, call, errorSelector);
    }

    function contains(address[] memory list, address wanted) private pure returns (bool) {
        for (uint256 index = 0; index < list.length; ++index) {
            if (list[index] == wanted) return true;
        }
        return false;
    }
}
