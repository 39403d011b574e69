// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "../BooksTest.sol";

/// @notice What the tests of the registry's operations share: lists of wrong states, paused agents, fuzzed milestones
/// and the errors that several operations raise.
abstract contract OperationTest is BooksTest {
    bytes32 private constant DOMAIN_TYPEHASH = keccak256(
        "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
    );
    bytes32 private constant TERMS_TYPEHASH = keccak256(
        "TaskTerms(address poster,address worker,uint96 totalAmount,bytes32 milestonesHash,bytes32 criteriaHash,uint64 deadline,uint32 reviewPeriod,uint8 scope,bytes32 salt,uint64 acceptBy,bool vouched)"
    );

    function clock() internal view returns (uint64) {
        return uint64(vm.getBlockTimestamp());
    }

    function noMilestones() internal pure returns (uint96[] memory) {
        return new uint96[](0);
    }

    /// @dev expectEmit overlooks further logs; the count leaves no room for them. Needs vm.recordLogs before the call.
    function assertLogCount(uint256 expected) internal {
        assertEq(vm.getRecordedLogs().length, expected, "number of logs");
    }

    function digestOf(uint256 taskId) internal view returns (bytes32) {
        return taskOf(taskId).settlementDigest;
    }

    // Digests, without asking the contract that is tested

    function domainSeparator(uint256 chainId, address verifyingContract) internal pure returns (bytes32) {
        return
            keccak256(abi.encode(DOMAIN_TYPEHASH, keccak256("TaskMarket"), keccak256("2"), chainId, verifyingContract));
    }

    function typedDigest(bytes32 domain, bytes32 structHash) internal pure returns (bytes32) {
        return keccak256(abi.encodePacked(hex"1901", domain, structHash));
    }

    function termsDigest(bytes32 domain, TaskTerms memory terms) internal pure returns (bytes32) {
        return typedDigest(domain, keccak256(abi.encode(TERMS_TYPEHASH, terms)));
    }

    function termsDigest(TaskTerms memory terms) internal view returns (bytes32) {
        return termsDigest(domainSeparator(block.chainid, address(registry)), terms);
    }

    // States

    /// @dev Three milestones, the first paid; then the worker left, so it is listed again in round 1.
    function relistedWithOnePaid() internal returns (uint256 taskId) {
        taskId = deliveredWithMilestones();
        accept(taskId);
        leaveTask(taskId);
    }

    /// @dev A fully funded task with these milestones, its work started.
    function activeWith(uint96 total, uint96[] memory amounts) internal returns (uint256 taskId) {
        ITaskRegistry.PostParams memory params = postParams();
        params.totalAmount = total;
        params.milestones = amounts;
        params.fundNow = total;
        taskId = registryAs(poster).postTask(params);
        claim(taskId, worker);
        start(taskId);
    }

    // Paused agents: only lost bonds bring an engaged agent below the threshold, so it loses four of five.

    /// @dev The poster must have exactly one open engagement; that one stays.
    function pausePoster() internal {
        leaveDeposit(poster, ENTRY);
        uint256[4] memory lost = [assigned(), assigned(), assigned(), assigned()];
        for (uint256 index = 0; index < lost.length; ++index) {
            courtAs(arbitrator).resolveDispute(lost[index], 10_000, REASON, REASON_URI);
        }
        assertTrue(deposits.isPaused(poster), "the poster is paused");
    }

    /// @dev The worker must have exactly one open engagement; that one stays.
    function pauseWorker() internal {
        leaveDeposit(worker, ENTRY);
        uint256[4] memory lost = [assigned(), assigned(), assigned(), assigned()];
        for (uint256 index = 0; index < lost.length; ++index) {
            courtAs(arbitrator).resolveDispute(lost[index], 0, REASON, REASON_URI);
        }
        assertTrue(deposits.isPaused(worker), "the worker is paused");
    }

    function leaveDeposit(address agent, uint96 rest) internal {
        uint96 amount = depositOf(agent) - rest;
        depositsAs(agent).withdraw(amount, agent);
    }

    // Amounts

    /// @dev Cuts the total into milestones of at least a twentieth, at places that the seed chooses.
    function cut(uint96 total, uint256 count, uint256 seed) internal pure returns (uint96[] memory amounts) {
        amounts = new uint96[](count);
        uint96 smallest = total / 20 + 1;
        uint96 rest = total - smallest * uint96(count);
        for (uint256 index = 0; index < count; ++index) {
            bool last = index + 1 == count;
            uint96 extra = last ? rest : uint96(uint256(keccak256(abi.encode(seed, index))) % (uint256(rest) + 1));
            amounts[index] = smallest + extra;
            rest -= extra;
        }
    }

    /// @dev `count` equal amounts.
    function amountsOf(uint96 amount, uint256 count) internal pure returns (uint96[] memory amounts) {
        amounts = new uint96[](count);
        for (uint256 index = 0; index < count; ++index) amounts[index] = amount;
    }

    // What an operation has to change in the books

    /// @dev One more engagement: a locked bond and an access fee in TOK.
    function expectEntry(Books memory books, Holding memory agent) internal view {
        agent.locked += BOND;
        agent.engagements += 1;
        expectFee(books, agent);
    }

    function expectFunding(Books memory books, uint256 amount) internal pure {
        books.poster.tok -= amount;
        books.escrow += amount;
    }

    /// @dev The whole rest to the worker, both bonds free, one completion for the worker.
    function expectCompletion(Books memory books, uint256 amount) internal view {
        expectFromEscrow(books, books.worker, amount);
        expectUnlocked(books.poster);
        expectUnlocked(books.worker);
        expectCounted(books.worker, RepKind.COMPLETED);
    }

    /// @dev Paid for, so the work begins; who claimed by itself is on trial, and the deadline gets that time back.
    function expectActive(TaskView memory task, bool onTrial_) internal view {
        task.state = State.ACTIVE;
        task.deadline += clock() - task.updatedAt + (onTrial_ ? 12 hours : 0);
        task.trialEnds = onTrial_ ? clock() + 12 hours : 0;
        task.updatedAt = clock();
    }

    function expectCompleted(TaskView memory task) internal view {
        task.trialEnds = 0;
        task.state = State.COMPLETED;
        task.updatedAt = clock();
        task.released = task.funded;
    }

    // The logs of several operations

    function expectEntryLogs(uint256 taskId, address agent, FeeAction action) internal {
        vm.expectEmit(address(deposits));
        emit IDepositVault.BondLocked(agent, lockedOf(agent) + BOND);
        expectFeeLog(agent, action, taskId, false);
        expectTransferLog(agent, address(paymentGateway), FEE);
    }

    function expectFundingLogs(uint256 taskId, uint96 amount, uint96 fundedTotal) internal {
        vm.expectEmit(address(escrow));
        emit IEscrowVault.Funded(taskId, poster, amount, fundedTotal);
        expectTransferLog(poster, address(escrow), amount);
    }

    function expectReleaseLogs(uint256 taskId, uint96 amount, uint96 releasedTotal) internal {
        expectReleaseLog(taskId, worker, amount, releasedTotal);
        expectTransferLog(address(escrow), worker, amount);
    }

    function expectCompletionLogs(TaskView memory task, uint96 amount) internal {
        vm.expectEmit(address(registry));
        emit ITaskRegistry.TaskCompleted(task.id, worker, amount);
        expectStateLog(task.id, State.COMPLETED, task.round, task.milestone);
        expectReleaseLogs(task.id, amount, task.totalAmount);
        expectUnlockLog(poster, lockedOf(poster) - BOND);
        expectUnlockLog(worker, lockedOf(worker) - BOND);
        expectMarkLog(worker, RepKind.COMPLETED, readHolding(worker).record.completed + 1);
    }

    /// @dev The end of a task that gives the poster all that is held, and its bond.
    function expectRefund(uint256 taskId, uint96 amount) internal {
        expectRefundLog(taskId, poster, amount);
        expectUnlockLog(poster, 0);
    }

    // Errors

    function expectNotPoster(address caller) internal {
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotPoster.selector, caller));
    }

    function expectNotWorker(address caller) internal {
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.NotWorker.selector, caller));
    }

    function expectExpired(uint64 endedAt) internal {
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.Expired.selector, endedAt));
    }

    function expectAgentIsPaused(address agent) internal {
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.AgentIsPaused.selector, agent));
    }

    function expectBadTerms(bytes32 field) internal {
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.BadTerms.selector, field));
    }

    function expectBadMilestones(bytes32 reason) internal {
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.BadMilestones.selector, reason));
    }

    function expectDigestMismatch(bytes32 expected) internal {
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.DigestMismatch.selector, expected));
    }

    function expectBadSignature(address signer) internal {
        vm.expectRevert(abi.encodeWithSelector(IMarketErrors.BadSignature.selector, signer));
    }

    function expectEntriesArePaused() internal {
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.EntriesArePaused.selector, address(registry)));
    }
}
