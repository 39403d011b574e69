// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {CallbackToken, Puppet} from "../mocks/Tokens.sol";
import "./HostileTokenTest.sol";

/// @dev The court pays the dispute bonds before it settles the task, with the registry still open. A party that gets
/// control at that moment finds its task DISPUTED: no registry operation moves it, and the settlement goes on as if
/// nothing had happened. Tried with a ruling, a time-out, a concession and a settlement by both.
contract ReentrancyOnOneTaskTest is HostileTokenTest {
    // Of its bond of 300 TOK a worker that gets 40 % of the milestone gets as much back, and the judge the rest.
    uint256 private constant BOND_LEFT = 120e18;

    CallbackToken private callback;

    function setUp() public override {
        super.setUp();
        callback = new CallbackToken();
        enterMarketOf(address(callback), address(usdc));
        poster = address(new Puppet());
        equip(poster);
    }

    function test_duringARuling() public {
        uint256 taskId = assigned();
        assertHeldStill(
            taskId,
            arbitrator,
            abi.encodeCall(IDisputeCourt.resolveDispute, (taskId, 4_000, REASON, REASON_URI)),
            2_400e18 + BOND_LEFT
        );
    }

    function test_duringATimeOut() public {
        uint256 taskId = escalated();
        skip(7 days + 1);
        assertHeldStill(
            taskId,
            stranger,
            abi.encodeCall(IDisputeCourt.resolveTimedOut, (taskId)),
            3_000e18 + TOTAL / 20
        );
    }

    function test_duringAConcession() public {
        uint256 taskId = answered();
        bytes memory conceding = abi.encodeCall(IDisputeCourt.concede, (taskId, Phase.PROPOSING));
        assertHeldStill(taskId, poster, conceding, TOTAL + TOTAL / 20 + TOTAL / 40);
    }

    function test_duringASettlementByBoth() public {
        uint256 taskId = disputed();
        uint64 until = uint64(vm.getBlockTimestamp());
        bytes memory signature = signWith(workerKey, registry.hashSettlement(taskId, 4_000, until));
        bytes memory settling = abi.encodeCall(IDisputeCourt.mutualSettle, (taskId, 4_000, until, "", signature));
        assertHeldStill(taskId, poster, settling, 2_400e18);
    }

    function assertHeldStill(uint256 taskId, address caller, bytes memory settling, uint256 workersShare) private {
        bytes[] memory attempts = operationsOn(taskId);
        uint256 before = tok.balanceOf(worker);
        for (uint256 index = 0; index < attempts.length; ++index) {
            uint256 snapshotId = vm.snapshotState();
            callback.arm(CallbackToken.Attack(Puppet(poster), address(registry), attempts[index], 1, false));
            vm.prank(caller);
            (bool success, ) = address(court).call(settling);
            assertTrue(success, "the settlement");
            assertFalse(callback.succeeded(), "the attempt");
            assertEq(
                callback.answer(),
                abi.encodeWithSelector(ITaskRegistry.WrongState.selector, taskId, State.DISPUTED)
            );
            assertState(taskId, State.RESOLVED);
            assertEq(tok.balanceOf(worker), before + workersShare, "worker's share");
            assertSolvent();
            vm.revertToState(snapshotId);
        }
    }

    function operationsOn(uint256 taskId) private view returns (bytes[] memory calls) {
        calls = new bytes[](10);
        calls[0] = abi.encodeCall(ITaskRegistry.acceptMilestone, (taskId, 0, registry.taskOf(taskId).updatedAt));
        calls[1] = abi.encodeCall(ITaskRegistry.completeTask, (taskId, 0));
        calls[2] = abi.encodeCall(ITaskRegistry.openDispute, (taskId, 0, EVIDENCE, EVIDENCE_URI));
        calls[3] = abi.encodeCall(ITaskRegistry.dismissWorker, (taskId, 0));
        calls[4] = abi.encodeCall(ITaskRegistry.cancelTask, (taskId));
        calls[5] = abi.encodeCall(ITaskRegistry.resolveTimedOut, (taskId));
        calls[6] = abi.encodeCall(ITaskRegistry.fundTask, (taskId, 1));
        calls[7] = abi.encodeCall(ITaskRegistry.startWork, (taskId, registry.taskOf(taskId).settlementDigest));
        calls[8] = abi.encodeCall(ITaskRegistry.claimTask, (taskId, bytes32(0)));
        calls[9] = abi.encodeCall(ITaskRegistry.extendDeadline, (taskId, type(uint64).max));
    }
}
