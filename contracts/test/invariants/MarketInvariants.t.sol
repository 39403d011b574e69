// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./InvariantsCanFail.sol";
import {Operation} from "./Operation.sol";
import "./Reach.sol";

/// @dev The runner takes random steps and checks all invariants after each, in a campaign of runs.
/// What the campaign is worth is shown beside it: that runs get everywhere, and that each invariant can fail.
abstract contract Campaign is MarketInvariants {
    function setUp() public virtual override {
        super.setUp();
        bytes4[] memory selectors = new bytes4[](1);
        selectors[0] = this.step.selector;
        targetContract(address(this));
        targetSelector(address(this), selectors);
        targetSender(stranger);
    }

    /// @dev What a run cannot miss when it is long enough; Reach shows what all of them together come to.
    function afterInvariant() public view {
        if (steps < 100) return;
        uint256 kinds;
        for (uint256 index = 0; index <= uint256(type(Operation).max); ++index) {
            if (done[Operation(index)] != 0) ++kinds;
        }
        assertGe(registry.taskCount(), 5, "a hundred steps make some tasks");
        assertGe(kinds, 10, "a hundred steps are of many kinds");
    }
}

/// @dev One contract, since the runner restarts the campaign in every contract that has it.
contract MarketInvariantsTest is Campaign, Reach, InvariantsCanFail {
    function setUp() public override(BalanceWatch, Campaign) {
        Campaign.setUp();
    }
}

contract MicroInvariantsTest is OnMicro, Campaign {}
