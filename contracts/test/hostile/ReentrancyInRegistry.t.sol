// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./ReentrancyTest.sol";

/// @dev Every operation of a market, tried inside each registry operation that moves TOK: with each fee, with the daily
/// split of fees, with funding, with payments to the worker and with refunds. What each pair must lead to stands in
/// ReentrancyTest.sol.
contract ReentrancyInRegistryTest is ReentrancyTest {
    function test_duringPostTask() public {
        assertSafeDuring("postTask");
    }

    function test_duringCreateTask() public {
        assertSafeDuring("createTask");
    }

    function test_duringFundTask() public {
        assertSafeDuring("fundTask");
    }

    function test_duringClaimTask() public {
        assertSafeDuring("claimTask");
    }

    function test_duringAClaimThatSplitsTheFees() public {
        assertSafeDuringTheSplitOf("claimTask");
    }

    function test_duringAcceptMilestone() public {
        assertSafeDuring("acceptMilestone");
    }

    function test_duringAcceptMilestoneOfTheLast() public {
        assertSafeDuring("acceptMilestone of the last");
    }

    function test_duringCompleteTask() public {
        assertSafeDuring("completeTask");
    }

    function test_duringOpenDispute() public {
        assertSafeDuring("openDispute");
    }

    function test_duringLeaveTask() public {
        assertSafeDuring("leaveTask");
    }

    function test_duringGiveDismissNotice() public {
        assertSafeDuring("giveDismissNotice");
    }

    function test_duringDismissWorker() public {
        assertSafeDuring("dismissWorker");
    }

    function test_duringCancelTask() public {
        assertSafeDuring("cancelTask");
    }

    function test_duringResolveTimedOut() public {
        assertSafeDuring("resolveTimedOut");
    }
}
