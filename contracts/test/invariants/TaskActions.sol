// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Operation} from "./Operation.sol";
import "./TransitionTable.sol";

/// @notice What posters and workers do to tasks: entering them, working on them, leaving them.
abstract contract TaskActions is TransitionTable {
    /// @dev The last createTask that went through, kept so that any actor can replay it.
    bytes internal usedCreation;
    address internal usedCreationCaller;

    function postTask(address by) internal {
        ITaskRegistry.PostParams memory params = postParams();
        params.totalAmount = someTotal();
        params.deadline = uint64(time() + someDuration());
        params.reviewPeriod = uint32(someReview());
        params.milestones = someMilestones(params.totalAmount);
        params.fundNow = someFunding(params.totalAmount);
        Act memory act = newAct(Operation.POST, by, address(registry));
        act.data = abi.encodeCall(registry.postTask, (params));
        act.allowed = canEngage(by);
        if (perform(act)) admitNewTask(0);
    }

    /// @dev One side calls with the other's signature; sometimes with a signature of something else, or with words
    /// that only the poster of an open task may publish.
    function createTask(address by, address with) internal {
        bool byPoster = chance(60);
        uint96 total = someTotal();
        uint96[] memory milestones = someMilestones(total);
        TaskTerms memory terms = signedTerms(chance(70) ? Scope.PRIVATE : Scope.OPEN, milestones);
        (terms.poster, terms.worker) = byPoster ? (by, with) : (with, by);
        terms.totalAmount = total;
        terms.deadline = uint64(time() + someDuration());
        terms.reviewPeriod = uint32(someReview());
        terms.salt = bytes32(registry.taskCount());
        terms.acceptBy = uint64(time() + roll(DAY));
        bool honest = chance(95);
        bytes32 digest = registry.hashTerms(terms);
        bytes memory signature = signatureOf(with, honest ? digest : keccak256("something else"));

        string memory uri = chance(80) ? "" : "data:application/json,{}";
        uint96 fundNow = byPoster ? someFunding(total) : 0;

        Act memory act = newAct(Operation.CREATE, by, address(registry));
        act.concerned.cosigner = with;
        act.data = abi.encodeCall(registry.createTask, (terms, milestones, signature, signature, uri, fundNow));
        bool mayTell = bytes(uri).length == 0 || (byPoster && terms.scope == Scope.OPEN);
        act.allowed = honest && mayTell && by != with && canEngage(by) && canEngage(with);
        if (!perform(act)) return;
        usedCreation = act.data;
        usedCreationCaller = by;
        admitNewTask(digest);
    }

    function claimTask(TaskView memory task, address by) internal {
        bool expectsRight = chance(97);
        bytes32 expected = registry.openDigest(task.id, expectsRight ? by : rival);
        Act memory act = newTaskAct(Operation.CLAIM, task, by);
        act.data = abi.encodeCall(registry.claimTask, (task.id, expected));
        act.allowed = act.allowed && expectsRight;
        if (!perform(act)) return;
        agreedDigests[task.id] = expected;
        fallbackAtClaim[task.id] = court.fallbackArbitrator();
    }

    function fundTask(TaskView memory task, address by) internal {
        uint96 missing = task.totalAmount - task.funded;
        uint96 amount = missing;
        if (chance(40)) amount = uint96(between(0, missing));
        else if (chance(5)) amount = missing + 1;
        Act memory act = newTaskAct(Operation.FUND, task, by);
        act.data = abi.encodeCall(registry.fundTask, (task.id, amount));
        act.allowed = act.allowed && amount != 0 && amount <= missing;
        perform(act);
    }

    function startWork(TaskView memory task, address by) internal {
        bool expectsRight = chance(97);
        bytes32 expected = expectsRight ? task.settlementDigest : keccak256("another worker's digest");
        Act memory act = newTaskAct(Operation.START, task, by);
        act.data = abi.encodeCall(registry.startWork, (task.id, expected));
        act.allowed = act.allowed && expectsRight;
        perform(act);
    }

    function submitProof(TaskView memory task, address by) internal {
        uint8 milestone = chance(95) ? task.milestone : task.milestone + 1;
        Act memory act = newTaskAct(Operation.PROVE, task, by);
        act.data = abi.encodeCall(registry.submitProof, (task.id, milestone, PROOF, "ipfs://proof"));
        act.allowed = act.allowed && milestone == task.milestone;
        perform(act);
    }

    function acceptMilestone(TaskView memory task, address by) internal {
        uint8 milestone = chance(95) ? task.milestone : task.milestone + 1;
        uint64 deliveredAt = chance(95) ? task.updatedAt : task.updatedAt - 1;
        Act memory act = newTaskAct(Operation.ACCEPT, task, by);
        act.data = abi.encodeCall(registry.acceptMilestone, (task.id, milestone, deliveredAt));
        act.allowed = act.allowed && milestone == task.milestone && deliveredAt == task.updatedAt;
        perform(act);
    }

    function openDispute(TaskView memory task, address by) internal {
        uint64 deliveredAt = chance(95) ? task.updatedAt : task.updatedAt - 1;
        Act memory act = newTaskAct(Operation.DISPUTE, task, by);
        bool withBond = chance(85);
        act.data = abi.encodeCall(registry.openDispute, (task.id, deliveredAt, withBond, EVIDENCE, EVIDENCE_URI));
        act.allowed = act.allowed && deliveredAt == task.updatedAt;
        perform(act);
    }

    function extendDeadline(TaskView memory task, address by) internal {
        uint64 deadline = uint64(chance(90) ? task.deadline + between(1, 3 days) : task.deadline);
        Act memory act = newTaskAct(Operation.EXTEND, task, by);
        act.data = abi.encodeCall(registry.extendDeadline, (task.id, deadline));
        bool isLater = deadline > task.deadline && deadline > time();
        act.allowed = act.allowed && isLater && deadline <= time() + 365 days;
        perform(act);
    }

    /// @dev The worker leaves the task as it stands, now and then as it does not.
    function leaveTask(TaskView memory task, address by) internal {
        State expected = chance(95) ? task.state : State.POSTED;
        Act memory act = newTaskAct(Operation.LEAVE, task, by);
        act.data = abi.encodeCall(registry.leaveTask, (task.id, expected));
        act.allowed = act.allowed && expected == task.state;
        perform(act);
    }

    /// @dev Operations that take nothing but the task's number, or besides it the digest, now and then a wrong one.
    function callRegistry(Operation operation, TaskView memory task, address by) internal {
        Act memory act = newTaskAct(operation, task, by);
        bool isNamed = operation == Operation.CANCEL || operation == Operation.TIME_OUT;
        isNamed = isNamed || operation == Operation.ANSWER_NOTICE;
        bytes32 digest = isNamed || chance(97) ? task.settlementDigest : keccak256("another worker's digest");
        act.allowed = act.allowed && digest == task.settlementDigest;
        if (operation == Operation.COMPLETE) act.data = abi.encodeCall(registry.completeTask, (task.id, digest));
        if (operation == Operation.NOTICE) act.data = abi.encodeCall(registry.giveDismissNotice, (task.id, digest));
        if (operation == Operation.DISMISS) act.data = abi.encodeCall(registry.dismissWorker, (task.id, digest));
        if (operation == Operation.ANSWER_NOTICE) act.data = abi.encodeCall(registry.answerNotice, (task.id));
        if (operation == Operation.CANCEL) act.data = abi.encodeCall(registry.cancelTask, (task.id));
        if (operation == Operation.TIME_OUT) act.data = abi.encodeCall(registry.resolveTimedOut, (task.id));
        perform(act);
    }

    function newTaskAct(Operation operation, TaskView memory task, address by) internal view returns (Act memory act) {
        act = newAct(operation, task, by);
        act.target = address(registry);
        act.allowed = allows(operation, task, by);
    }

    /// @dev Odd amounts, since round ones hide what rounding does.
    function someTotal() private returns (uint96) {
        uint96 least = parameters().minTotal;
        return uint96(between(least, chance(50) ? 2 * least : 20_000e18));
    }

    function someDuration() private returns (uint256) {
        uint256[6] memory most = [uint256(1 days), 10 days, 20 days, 30 days, 60 days, 365 days];
        return between(1, most[roll(most.length)]);
    }

    function someReview() private returns (uint256) {
        Parameters memory market = parameters();
        return between(market.minReview, chance(80) ? 3 days : market.maxReview);
    }

    function someFunding(uint96 total) private returns (uint96) {
        if (chance(60)) return total;
        return chance(50) ? 0 : uint96(between(1, total));
    }

    /// @dev None for one milestone, else two to ten: the least each may be, and the rest spread by chance.
    function someMilestones(uint96 total) private returns (uint96[] memory amounts) {
        if (chance(60)) return amounts;
        uint96 least = parameters().minTotal / 10;
        amounts = new uint96[](between(2, chance(70) ? 3 : 10));
        uint96 left = total - least * uint96(amounts.length);
        for (uint256 index = 0; index < amounts.length; ++index) {
            uint96 share = index + 1 == amounts.length ? left : uint96(roll(left + 1));
            amounts[index] = least + share;
            left -= share;
        }
    }
}
