// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {CallbackToken, Puppet} from "../mocks/Tokens.sol";
import "./Operations.sol";

/// @notice Interrupts an operation at each movement of a token by every other operation, before and after the balances
/// change. Where a guard is shared the inner one must be refused; where none is, the two must leave exactly the state
/// that one after the other leaves: nothing lost, nothing doubled.
abstract contract ReentrancyTest is Operations {
    CallbackToken private tokCallback;
    CallbackToken private usdcCallback;
    Operation[] private outers;
    Operation[] private inners;

    function setUp() public override {
        super.setUp();
        tokCallback = new CallbackToken();
        usdcCallback = new CallbackToken();
        enterMarketOf(address(tokCallback), address(usdcCallback));
        Cast[] memory casts = new Cast[](2);
        casts[0] = castOf(makeAddr("actor"), "partner", makeAddr("retiring"));
        casts[1] = castOf(address(new Puppet()), "partner of the puppet", address(new Puppet()));
        ripen(casts);
        keep(outers, operationsOf(casts[0]));
        keep(inners, operationsOf(casts[1]));
    }

    /// @dev Tries all operations inside each one that moves a token, of the registry or of the others.
    function tryAllDuring(bool ofRegistry) internal returns (uint256 tried) {
        for (uint256 index = 0; index < outers.length; ++index) {
            if (outers[index].held.length == 0 || (outers[index].target == address(registry)) != ofRegistry) continue;
            this.tryDuring(index);
            ++tried;
        }
    }

    /// @dev A call of its own, as `interrupt`.
    function tryDuring(uint256 index) external {
        assertSafeDuring(outers[index]);
    }

    /// @dev The same for one a day later, when the operation's fee also splits what is pending: one burn, two transfers.
    function assertSafeDuringTheSplitOf(string memory name) internal {
        Operation memory outer = named(name);
        outer.held = bytes.concat(outer.held, abi.encodePacked(R | G, R | G, R | G));
        skip(1 days);
        assertSafeDuring(outer);
    }

    function assertSafeDuring(Operation memory outer) private {
        assertMovements(outer);
        for (uint256 movement = 0; movement < outer.held.length; ++movement) {
            for (uint256 index = 0; index < inners.length; ++index) {
                this.interrupt(outer, movement, inners[index]);
            }
        }
    }

    /// @dev A call of its own, so that its memory is free again afterwards: memory that only grows costs too much gas.
    function interrupt(Operation memory outer, uint256 movement, Operation memory inner) external {
        bool shared = inner.enters & uint8(outer.held[movement]) != 0;
        bytes32 before = nested(outer, movement, inner, true, shared);
        if (shared) return;
        bytes32 afterwards = nested(outer, movement, inner, false, shared);
        bytes32 outerFirst = inTurn(outer, inner);
        if (before == outerFirst && afterwards == outerFirst) return;
        bytes32 innerFirst = inTurn(inner, outer);
        string memory both = string.concat(inner.name, " inside ", outer.name);
        assertTrue(before == outerFirst || before == innerFirst, both);
        assertTrue(afterwards == outerFirst || afterwards == innerFirst, both);
    }

    /// @return state a digest of what both left behind; empty where the inner one had to be refused
    function nested(
        Operation memory outer,
        uint256 movement,
        Operation memory inner,
        bool beforeMoving,
        bool refused
    ) private returns (bytes32 state) {
        string memory both = string.concat(inner.name, " inside ", outer.name);
        uint256 snapshotId = vm.snapshotState();
        CallbackToken token = outer.movesUsdc ? usdcCallback : tokCallback;
        token.arm(CallbackToken.Attack(Puppet(inner.from), inner.target, inner.call, movement + 1, beforeMoving));
        run(outer);
        assertEq(token.succeeded(), !refused, both);
        if (refused) {
            assertEq(token.answer(), abi.encodeWithSignature("ReentrancyGuardReentrantCall()"), both);
        } else {
            state = marketDigest();
        }
        vm.revertToState(snapshotId);
    }

    function inTurn(Operation memory first, Operation memory second) private returns (bytes32 state) {
        uint256 snapshotId = vm.snapshotState();
        run(first);
        run(second);
        state = marketDigest();
        vm.revertToState(snapshotId);
    }

    /// @dev Nothing moves unseen: the operation has exactly the movements it is listed with.
    function assertMovements(Operation memory outer) private {
        uint256 snapshotId = vm.snapshotState();
        CallbackToken.Attack memory never;
        tokCallback.arm(never);
        usdcCallback.arm(never);
        run(outer);
        assertEq(tokCallback.movements(), outer.movesUsdc ? 0 : outer.held.length, "movements of TOK");
        assertEq(usdcCallback.movements(), outer.movesUsdc ? outer.held.length : 0, "movements of USDC");
        vm.revertToState(snapshotId);
    }

    function keep(Operation[] storage list, Operation[] memory operations) private {
        for (uint256 index = 0; index < operations.length; ++index) {
            list.push(operations[index]);
        }
    }

    function named(string memory name) private view returns (Operation memory) {
        for (uint256 index = 0; index < outers.length; ++index) {
            if (keccak256(bytes(outers[index].name)) == keccak256(bytes(name))) return outers[index];
        }
        revert(string.concat("no operation ", name));
    }
}
