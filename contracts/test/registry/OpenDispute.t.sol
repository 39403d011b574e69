// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Phase, State, TaskView} from "../../src/Types.sol";
import {IDisputeCourt} from "../../src/interfaces/IDisputeCourt.sol";
import {IMarketErrors} from "../../src/interfaces/IMarketErrors.sol";
import {ITaskRegistry} from "../../src/interfaces/ITaskRegistry.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {OperationTest} from "./OperationTest.sol";

/// @dev openDispute (rows 10 and 11), called
///   in another state than DELIVERED           reverts
///   by neither party                          reverts
///   by the poster after the review period     reverts
///   without TOK for the dispute bond          reverts
///   by the poster up to the end of the review, by the worker at any time
///                                             DISPUTED; 5 % of the current milestone go from the opener to the
///                                             court; the case opens with three days to name an arbitrator
/// and DisputeCourt.open, called by another than the registry   reverts
contract OpenDisputeTest is OperationTest {
    function test_reverts_inEveryOtherState() public {
        expectWrongState(NO_TASK, State.NONE);
        openDispute(poster, NO_TASK);
        State[] memory others = statesBut(State.DELIVERED, State.DELIVERED);
        for (uint256 index = 0; index < others.length; ++index) {
            uint256 taskId = taskIn(others[index]);
            expectWrongState(taskId, others[index]);
            openDispute(poster, taskId);
            expectWrongState(taskId, others[index]);
            openDispute(worker, taskId);
        }
    }

    function test_reverts_whenTheCallerIsNoParty() public {
        uint256 taskId = delivered();
        address[3] memory callers = [stranger, rival, arbitrator];
        for (uint256 index = 0; index < callers.length; ++index) {
            vm.expectRevert(abi.encodeWithSelector(IMarketErrors.NotParty.selector, callers[index]));
            openDispute(callers[index], taskId);
        }
    }

    function test_thePosterMayDisputeUpToTheEndOfTheReviewAndNoLonger() public {
        uint256 taskId = delivered();
        uint64 reviewEnds = taskOf(taskId).updatedAt + REVIEW;
        vm.warp(reviewEnds + 1);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.ReviewOver.selector, reviewEnds));
        openDispute(poster, taskId);
        vm.warp(reviewEnds);
        openDispute(poster, taskId);
        assertState(taskId, State.DISPUTED);
    }

    function test_theWorkerMayDisputeAfterTheReview() public {
        uint256 taskId = delivered();
        vm.warp(taskOf(taskId).updatedAt + REVIEW + 30 days);
        openDispute(worker, taskId);
        assertState(taskId, State.DISPUTED);
        assertEq(court.disputeOf(taskId).posterPayer, worker);
    }

    function test_reverts_whenTheOpenerCannotPayTheBond() public {
        uint256 taskId = delivered();
        uint256 bond = TOTAL / 20;
        vm.prank(poster);
        tok.approve(address(gateway), bond - 1);
        vm.expectRevert(
            abi.encodeWithSelector(
                IERC20Errors.ERC20InsufficientAllowance.selector, address(gateway), bond - 1, bond
            )
        );
        openDispute(poster, taskId);
        assertState(taskId, State.DELIVERED);
    }

    function test_aDisputeByThePosterTakesItsBondAndOpensTheCase() public {
        uint256 taskId = delivered();
        skip(1 hours);
        assertOpens(poster, taskId, TOTAL);
    }

    function test_aDisputeByTheWorkerTakesItsBondAndOpensTheCase() public {
        uint256 taskId = delivered();
        skip(1 hours);
        assertOpens(worker, taskId, TOTAL);
    }

    function test_onlyTheCurrentMilestoneIsAtStake() public {
        uint256 taskId = deliveredWithMilestones();
        accept(taskId);
        deliver(taskId);
        assertOpens(poster, taskId, 2_000e18);
    }

    function testFuzz_theBondIsFivePercentOfTheMilestone(uint256[3] memory parts, uint256 index, bool byPoster) public {
        uint96[] memory amounts = new uint96[](3);
        uint96 total = 0;
        for (uint256 position = 0; position < 3; ++position) {
            amounts[position] = uint96(bound(parts[position], MIN_TOTAL, 1_000_000e18));
            total += amounts[position];
        }
        uint256 taskId = activeWith(total, amounts);
        deliver(taskId);
        index = bound(index, 0, 2);
        for (uint8 accepted = 0; accepted < index; ++accepted) {
            accept(taskId);
            deliver(taskId);
        }
        assertOpens(byPoster ? poster : worker, taskId, amounts[index]);
    }

    function testFuzz_reverts_whenTheCourtIsOpenedByAnyoneButTheRegistry(address caller) public {
        vm.assume(caller != address(registry));
        vm.expectRevert(abi.encodeWithSelector(IDisputeCourt.NotRegistry.selector, caller));
        vm.prank(caller);
        court.open(1, poster, worker, TOTAL, REVIEW, 1);
    }

    function openDispute(address opener, uint256 taskId) private {
        uint64 deliveredAt = taskOf(taskId).updatedAt;
        vm.prank(opener);
        registry.openDispute(taskId, deliveredAt, EVIDENCE, EVIDENCE_URI);
    }

    function assertOpens(address opener, uint256 taskId, uint96 amount) private {
        uint64 phaseEnds = uint64(vm.getBlockTimestamp()) + 3 days;
        TaskView memory task = taskOf(taskId);
        task.state = State.DISPUTED;
        task.updatedAt = uint64(vm.getBlockTimestamp());
        uint96 bond = amount / 20;
        Books memory books = readBooks();
        (opener == poster ? books.poster : books.worker).tok -= bond;
        books.court += bond;
        IDisputeCourt.Dispute memory expected;
        expected.poster = poster;
        expected.worker = worker;
        expected.phase = Phase.PROPOSING;
        expected.phaseEnds = phaseEnds;
        expected.amount = amount;
        expected.posterPayer = opener;
        expected.bond = bond;

        vm.expectEmit(address(registry));
        emit ITaskRegistry.DisputeOpened(taskId, opener, EVIDENCE, EVIDENCE_URI);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.TaskState(taskId, State.DISPUTED, 0, task.milestone);
        vm.expectEmit(address(court));
        emit IDisputeCourt.DisputeCreated(taskId, phaseEnds);
        vm.expectEmit(address(court));
        emit IDisputeCourt.DisputeBond(taskId, opener, bond);
        openDispute(opener, taskId);

        assertTask(task);
        assertBooks(books);
        assertEq(abi.encode(court.disputeOf(taskId)), abi.encode(expected));
    }
}
