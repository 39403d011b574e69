// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {InvariantsCanFail} from "./InvariantsCanFail.sol";
import {Reach} from "./Reach.sol";

/// @dev The runner takes random steps and checks one invariant after each, in a campaign of runs for every invariant.
/// What the campaigns are worth is shown beside them: that runs get everywhere, and that each invariant can fail.
/// All of it is one contract, since the runner starts the campaigns anew in every contract that has them.
contract MarketInvariantsTest is Reach, InvariantsCanFail {
    function setUp() public override {
        super.setUp();
        bytes4[] memory selectors = new bytes4[](1);
        selectors[0] = this.step.selector;
        targetContract(address(this));
        targetSelector(address(this), selectors);
        targetSender(stranger);
    }

    /// @dev Whatever the depth, a run has done something with each of its steps.
    function afterInvariant() public view {
        assertGt(registry.taskCount(), 0, "no run without a task");
    }
}
