// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {State} from "../../src/Types.sol";
import {DenyingToken} from "../mocks/DenyingToken.sol";
import {HostileTokenTest} from "./HostileTokenTest.sol";

/// @dev TOK cannot refuse a recipient, so payments are pushed. Should a token in its place refuse one:
///   a payment to that recipient is refused whole: the task stays as it is and its money in escrow
///   other tasks, other stakers and other arbitrators are not touched
///   the poster may still end the task in ways that pay nobody who is refused
///   a refused treasury stops the split and, a day later, whatever pays a fee in TOK: the price of pushing
contract RefusingTokTest is HostileTokenTest {
    DenyingToken private refusing;

    function setUp() public override {
        super.setUp();
        refusing = new DenyingToken();
        enterMarketOf(address(refusing), address(usdc));
    }

    function test_aRefusedWorkersTaskWaitsAndOthersGoOn() public {
        uint256 waiting = delivered();
        (address refused, address paid) = (worker, rival);
        worker = paid;
        uint256 flowing = delivered();
        refuse(refused);

        uint64 deliveredAt = taskOf(waiting).updatedAt;
        vm.startPrank(poster);
        expectRefused(refused);
        registry.acceptMilestone(waiting, 0, deliveredAt);
        assertState(waiting, State.DELIVERED);
        assertEq(escrow.held(waiting), TOTAL, "held");
        registry.acceptMilestone(flowing, 0, deliveredAt);
        assertState(flowing, State.COMPLETED);
        assertSolvent();

        refusing.setDenied(refused, false);
        registry.acceptMilestone(waiting, 0, deliveredAt);
        assertState(waiting, State.COMPLETED);
        assertSolvent();
    }

    function test_aRulingThatPaysTheRefusedWorkerNothingGoesThrough() public {
        uint256 taskId = assigned();
        refuse(worker);
        vm.prank(arbitrator);
        expectRefused(worker);
        court.resolveDispute(taskId, 1, REASON, REASON_URI);
        vm.prank(arbitrator);
        court.resolveDispute(taskId, 0, REASON, REASON_URI);
        assertState(taskId, State.RESOLVED);
        assertSolvent();
    }

    function test_aRefusedStakersStakeStaysAndOthersLeave() public {
        vm.prank(worker);
        staking.stake(10_000e18);
        vm.prank(rival);
        staking.stake(10_000e18);
        skip(1 days);
        refuse(worker);
        vm.prank(worker);
        expectRefused(worker);
        staking.unstake(10_000e18);
        vm.prank(rival);
        staking.unstake(10_000e18);
        assertEq(staking.stakerOf(worker).staked, 10_000e18, "staked");
        assertSolvent();
    }

    function test_aRefusedTreasuryStopsTheSplitAndLaterTheFees() public {
        postedUnfunded();
        refuse(treasury);
        expectRefused(treasury);
        gateway.flush();
        assertEq(gateway.pendingFees(), FEE, "pending");
        postedUnfunded();

        skip(1 days);
        vm.prank(poster);
        expectRefused(treasury);
        registry.postTask(postParams());
    }

    function refuse(address account) private {
        refusing.setDenied(account, true);
    }

    function expectRefused(address account) private {
        vm.expectRevert(abi.encodeWithSelector(DenyingToken.Denied.selector, account));
    }
}
