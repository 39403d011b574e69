// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IRegistryGetters} from "./IRegistryGetters.sol";
import "./OperationTest.sol";

/// @dev The digests that wallets sign, against vectors that test/vectors.test.ts recomputes with viem. The registry's
/// own code answers at each vector's address:
///   terms        type hash, milestones hash and digest of every vector; openDigest of those that a posted task reaches
///   settlements  each vector is a task in some state, which is reached here and then hashed
///   criteria     the hash of texts, also beyond ASCII
contract DigestTest is OperationTest {
    string private json;

    function setUp() public override {
        super.setUp();
        json = vm.readFile("vectors/settlement-digest.json");
    }

    function test_hashesEveryVectorOfTerms() public {
        uint256 count;
        for (string memory path = ".terms[0]"; vm.keyExistsJson(json, path); path = item(".terms", ++count)) {
            checkHashes(path, IRegistryGetters(address(registry)).TERMS_TYPEHASH());
            bytes32 digest = twinAt(readAddress(path, ".verifyingContract")).hashTerms(readTerms(path));
            assertEq(digest, readWord(path, ".digest"), string.concat("digest of ", text(path, ".name")));
        }
        assertEq(count, 17, "vectors read");
    }

    function test_hashesEveryListOfMilestones() public view {
        uint256 lists;
        uint256 count;
        for (string memory path = ".terms[0]"; vm.keyExistsJson(json, path); path = item(".terms", ++count)) {
            if (!vm.keyExistsJson(json, string.concat(path, ".milestones"))) continue;
            uint256[] memory amounts = vm.parseJsonUintArray(json, string.concat(path, ".milestones"));
            uint96[] memory packed = new uint96[](amounts.length);
            for (uint256 index = 0; index < amounts.length; ++index) packed[index] = uint96(amounts[index]);
            assertEq(keccak256(abi.encodePacked(packed)), readWord(path, ".message.milestonesHash"), path);
            ++lists;
        }
        assertEq(lists, 14, "lists read");
    }

    function test_hashesAPostedTaskAsItsVector() public {
        checkOpenDigest("task 1 as posted, first round", postedUnfunded());
    }

    function test_hashesATaskListedAgainAsItsVector() public {
        checkOpenDigest("task 1 with three milestones, second round", relistedWithOnePaid());
    }

    function test_hashesEverySettlement() public {
        uint256 snapshotId = vm.snapshotState();
        string memory list = ".settlements";
        uint256 count;
        for (string memory path = ".settlements[0]"; vm.keyExistsJson(json, path); path = item(list, ++count)) {
            checkHashes(path, IRegistryGetters(address(registry)).SETTLE_TYPEHASH());
            checkSettlement(path, reachTaskOf(path));
            vm.revertToState(snapshotId);
            snapshotId = vm.snapshotState();
        }
        assertEq(count, 11, "vectors read");
    }

    function test_hashesEveryCriteriaText() public view {
        uint256 count;
        for (string memory path = ".criteria[0]"; vm.keyExistsJson(json, path); path = item(".criteria", ++count)) {
            assertEq(lens.hashCriteria(text(path, ".text")), readWord(path, ".hash"), text(path, ".text"));
        }
        assertEq(count, 4, "vectors read");
    }

    function reachTaskOf(string memory path) private returns (uint256 taskId) {
        State state = State(readUint(path, ".message.state"));
        if (state != State.DISPUTED) return reach(state, readUint(path, ".message.held"));
        bool ofSecondMilestone = readUint(path, ".message.milestone") == 1;
        taskId = ofSecondMilestone ? reach(State.DELIVERED, 0) : delivered();
        if (!ofSecondMilestone) skip(1 hours);
        openDispute(taskId);
        skip(1 hours);
        Phase phase = Phase(readUint(path, ".message.phase"));
        if (phase == Phase.ESCALATED) answerWithoutBond(taskId);
        else if (phase != Phase.ANSWERING) answerWithBond(taskId);
        if (phase == Phase.ASSIGNED) agree(taskId, arbitrator);
    }

    /// @dev The only task in this state, an hour after the last step that is not the state's own.
    function reach(State state, uint256 held) private returns (uint256 taskId) {
        if (state == State.POSTED) return posted();
        if (state == State.CLAIMED && held == 0) return claimed();
        if (state == State.CLAIMED) {
            taskId = post(noMilestones(), TOTAL / 2);
            claim(taskId, worker);
        } else if (state == State.ACTIVE && held != TOTAL) {
            taskId = relistedWithOnePaid();
            skip(1 hours);
            claim(taskId, rival);
        } else if (state == State.ACTIVE) {
            taskId = onTrial();
            skip(1 hours);
            start(taskId);
        } else if (state == State.DELIVERED) {
            taskId = deliveredWithMilestones();
            skip(1 hours);
            accept(taskId);
            skip(1 hours);
            deliver(taskId);
        } else {
            taskId = delivered();
            skip(1 hours);
            accept(taskId);
        }
    }

    /// @dev First that the vector is about this very task, then that its digest is the vector's.
    function checkSettlement(string memory path, uint256 taskId) private {
        TaskView memory task = taskOf(taskId);
        assertEq(taskId, readUint(path, ".message.taskId"), path);
        assertEq(task.poster, readAddress(path, ".message.poster"), path);
        assertEq(task.worker, readAddress(path, ".message.worker"), path);
        assertEq(task.round, readUint(path, ".message.round"), path);
        assertEq(task.milestone, readUint(path, ".message.milestone"), path);
        assertEq(uint256(task.state), readUint(path, ".message.state"), path);
        assertEq(task.updatedAt, readUint(path, ".message.updatedAt"), path);
        assertEq(escrow.heldOf(taskId), readUint(path, ".message.held"), path);
        assertEq(uint256(court.phaseOf(taskId)), readUint(path, ".message.phase"), path);
        uint16 workerBps = uint16(readUint(path, ".message.workerBps"));
        uint64 validUntil = uint64(readUint(path, ".message.validUntil"));
        ITaskRegistry twin = twinAt(readAddress(path, ".verifyingContract"));
        vm.record();
        registry.hashSettlement(taskId, workerBps, validUntil);
        copyReadSlots(address(twin));
        bytes32 digest = twin.hashSettlement(taskId, workerBps, validUntil);
        assertEq(digest, readWord(path, ".digest"), string.concat("digest of ", text(path, ".name")));
    }

    function checkOpenDigest(string memory name, uint256 taskId) private {
        string memory path = termsNamed(name);
        assertEq(taskId, readUint(path, ".open.taskId"));
        assertEq(taskOf(taskId).round, readUint(path, ".open.round"));
        ITaskRegistry twin = twinAt(readAddress(path, ".verifyingContract"));
        vm.record();
        registry.openDigest(taskId, worker);
        copyReadSlots(address(twin));
        assertEq(twin.openDigest(taskId, worker), readWord(path, ".digest"));
    }

    function checkHashes(string memory path, bytes32 typeHash) private view {
        assertEq(typeHash, readWord(path, ".typeHash"), "type hash");
        bytes32 domain = domainSeparator(readUint(path, ".chainId"), readAddress(path, ".verifyingContract"));
        assertEq(typedDigest(domain, readWord(path, ".structHash")), readWord(path, ".digest"), "struct hash");
    }

    /// @dev The registry's code at another address, where it has to rebuild its domain.
    function twinAt(address place) private returns (ITaskRegistry) {
        vm.etch(place, address(registry).code);
        return ITaskRegistry(place);
    }

    /// @dev Gives the twin whatever the registry has read since vm.record, wherever that is stored.
    function copyReadSlots(address twin) private {
        (bytes32[] memory slots, ) = vm.accesses(address(registry));
        for (uint256 index = 0; index < slots.length; ++index) {
            vm.store(twin, slots[index], vm.load(address(registry), slots[index]));
        }
    }

    function readTerms(string memory path) private view returns (TaskTerms memory terms) {
        terms.poster = readAddress(path, ".message.poster");
        terms.worker = readAddress(path, ".message.worker");
        terms.totalAmount = uint96(readUint(path, ".message.totalAmount"));
        terms.milestonesHash = readWord(path, ".message.milestonesHash");
        terms.criteriaHash = readWord(path, ".message.criteriaHash");
        terms.deadline = uint64(readUint(path, ".message.deadline"));
        terms.reviewPeriod = uint32(readUint(path, ".message.reviewPeriod"));
        terms.scope = Scope(readUint(path, ".message.scope"));
        terms.salt = readWord(path, ".message.salt");
        terms.acceptBy = uint64(readUint(path, ".message.acceptBy"));
        terms.vouched = vm.parseJsonBool(json, string.concat(path, ".message.vouched"));
    }

    function termsNamed(string memory name) private view returns (string memory path) {
        uint256 count;
        for (path = ".terms[0]"; vm.keyExistsJson(json, path); path = item(".terms", ++count)) {
            if (keccak256(bytes(text(path, ".name"))) == keccak256(bytes(name))) return path;
        }
        fail(string.concat("no vector named ", name));
    }

    function item(string memory list, uint256 index) private pure returns (string memory) {
        return string.concat(list, "[", vm.toString(index), "]");
    }

    function text(string memory path, string memory key) private view returns (string memory) {
        return vm.parseJsonString(json, string.concat(path, key));
    }

    function readUint(string memory path, string memory key) private view returns (uint256) {
        return vm.parseJsonUint(json, string.concat(path, key));
    }

    function readWord(string memory path, string memory key) private view returns (bytes32) {
        return vm.parseJsonBytes32(json, string.concat(path, key));
    }

    function readAddress(string memory path, string memory key) private view returns (address) {
        return vm.parseJsonAddress(json, string.concat(path, key));
    }
}
