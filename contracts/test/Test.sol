// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Vm} from "./Vm.sol";

/// @notice Base of every Solidity test: cheatcodes, assertions, bounded fuzz input and invariant targets.
abstract contract Test {
    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    /// @dev Order of the secp256k1 group: a private key lies between 1 and this, both ends left out.
    uint256 internal constant KEY_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141;

    address[] private _targetContracts;
    address[] private _targetSenders;
    FuzzSelector[] private _targetSelectors;

    // The runner calls these three before an invariant run. Naming a contract with targetContract and nothing else
    // fuzzes all of its functions; targetSelector narrows that to the functions named.
    function targetContracts() public view returns (address[] memory) {
        return _targetContracts;
    }

    function targetSenders() public view returns (address[] memory) {
        return _targetSenders;
    }

    function targetSelectors() public view returns (FuzzSelector[] memory) {
        return _targetSelectors;
    }

    function targetContract(address target) internal {
        _targetContracts.push(target);
    }

    function targetSender(address sender) internal {
        _targetSenders.push(sender);
    }

    function targetSelector(address target, bytes4[] memory selectors) internal {
        _targetSelectors.push(FuzzSelector({addr: target, selectors: selectors}));
    }

    /// @dev Folds any value into [low, high]. Small values and values close to the type's maximum land near the
    /// ends of the range, since that is what fuzzers try most and where bounds break.
    function bound(uint256 value, uint256 low, uint256 high) internal pure returns (uint256) {
        require(low <= high, "bound: low is above high");
        if (value >= low && value <= high) return value;
        unchecked {
            uint256 size = high - low + 1;
            if (size == 0) return value;
            if (value <= 3 && size > value) return low + value;
            if (value >= type(uint256).max - 3 && size > type(uint256).max - value) {
                return high - (type(uint256).max - value);
            }
            return low + (value % size);
        }
    }

    function makeAddr(string memory name) internal returns (address account) {
        (account, ) = makeAddrAndKey(name);
    }

    function makeAddrAndKey(string memory name) internal returns (address account, uint256 privateKey) {
        privateKey = (uint256(keccak256(bytes(name))) % (KEY_ORDER - 1)) + 1;
        account = vm.addr(privateKey);
        vm.label(account, name);
    }

    /// @dev An ECDSA signature as wallets give it: r, s, v.
    function signWith(uint256 privateKey, bytes32 digest) internal pure returns (bytes memory signature) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(privateKey, digest);
        signature = abi.encodePacked(r, s, v);
    }

    /// @dev Moves the clock on from the time cheatcodes last set, safe against a cached block.timestamp.
    function skip(uint256 secondsAhead) internal {
        vm.warp(vm.getBlockTimestamp() + secondsAhead);
    }

    function fail(string memory reason) internal pure {
        vm.assertTrue(false, reason);
    }

    function assertTrue(bool condition) internal pure {
        vm.assertTrue(condition);
    }

    function assertTrue(bool condition, string memory reason) internal pure {
        vm.assertTrue(condition, reason);
    }

    function assertFalse(bool condition) internal pure {
        vm.assertFalse(condition);
    }

    function assertFalse(bool condition, string memory reason) internal pure {
        vm.assertFalse(condition, reason);
    }

    function assertEq(bool left, bool right) internal pure {
        vm.assertEq(left, right);
    }

    function assertEq(bool left, bool right, string memory reason) internal pure {
        vm.assertEq(left, right, reason);
    }

    function assertEq(uint256 left, uint256 right) internal pure {
        vm.assertEq(left, right);
    }

    function assertEq(uint256 left, uint256 right, string memory reason) internal pure {
        vm.assertEq(left, right, reason);
    }

    function assertEq(int256 left, int256 right) internal pure {
        vm.assertEq(left, right);
    }

    function assertEq(int256 left, int256 right, string memory reason) internal pure {
        vm.assertEq(left, right, reason);
    }

    function assertEq(address left, address right) internal pure {
        vm.assertEq(left, right);
    }

    function assertEq(address left, address right, string memory reason) internal pure {
        vm.assertEq(left, right, reason);
    }

    function assertEq(bytes32 left, bytes32 right) internal pure {
        vm.assertEq(left, right);
    }

    function assertEq(bytes32 left, bytes32 right, string memory reason) internal pure {
        vm.assertEq(left, right, reason);
    }

    function assertEq(string memory left, string memory right) internal pure {
        vm.assertEq(left, right);
    }

    function assertEq(string memory left, string memory right, string memory reason) internal pure {
        vm.assertEq(left, right, reason);
    }

    function assertEq(bytes memory left, bytes memory right) internal pure {
        vm.assertEq(left, right);
    }

    function assertEq(bytes memory left, bytes memory right, string memory reason) internal pure {
        vm.assertEq(left, right, reason);
    }

    function assertEq(uint256[] memory left, uint256[] memory right) internal pure {
        vm.assertEq(left, right);
    }

    function assertEq(address[] memory left, address[] memory right) internal pure {
        vm.assertEq(left, right);
    }

    function assertEq(bytes32[] memory left, bytes32[] memory right) internal pure {
        vm.assertEq(left, right);
    }

    function assertLt(uint256 left, uint256 right) internal pure {
        vm.assertLt(left, right);
    }

    function assertLt(uint256 left, uint256 right, string memory reason) internal pure {
        vm.assertLt(left, right, reason);
    }

    function assertLe(uint256 left, uint256 right) internal pure {
        vm.assertLe(left, right);
    }

    function assertLe(uint256 left, uint256 right, string memory reason) internal pure {
        vm.assertLe(left, right, reason);
    }

    function assertGt(uint256 left, uint256 right) internal pure {
        vm.assertGt(left, right);
    }

    function assertGt(uint256 left, uint256 right, string memory reason) internal pure {
        vm.assertGt(left, right, reason);
    }

    function assertGe(uint256 left, uint256 right) internal pure {
        vm.assertGe(left, right);
    }

    function assertGe(uint256 left, uint256 right, string memory reason) internal pure {
        vm.assertGe(left, right, reason);
    }

    function assertApproxEqAbs(uint256 left, uint256 right, uint256 maxDelta) internal pure {
        vm.assertApproxEqAbs(left, right, maxDelta);
    }

    function assertApproxEqAbs(uint256 left, uint256 right, uint256 maxDelta, string memory reason) internal pure {
        vm.assertApproxEqAbs(left, right, maxDelta, reason);
    }
}
